import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { Authenticate, IdentityInit } from '../../../contracts/identity.js';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { jwtAuthenticator } from './jwt.js';
import { type Issuer, withIssuer } from './testing/issuer.js';

const test = suite('keys of an issuer');

type Limits = NonNullable<NonNullable<Parameters<typeof jwtAuthenticator>[1]>['jwks']>;

const authenticatorOf = (issuer: Issuer, limits: Limits = {}): Authenticate =>
  jwtAuthenticator(
    { key: issuer, issuer: issuer.issuer, audience: issuer.audience },
    { jwks: { intervalMs: 0, timeoutMs: 60_000, ...limits } },
  );

const by = (authenticate: Authenticate, token: string) =>
  authenticate({
    method: 'POST',
    url: '/',
    headers: { authorization: `Bearer ${token}` },
    remoteAddress: '::1',
  });

/** The user of a token, or the code of the refusal. */
async function outcomeOf(authenticate: Authenticate, token: string): Promise<string> {
  try {
    return ((await by(authenticate, token)) as IdentityInit).scope?.userId ?? '';
  } catch (error) {
    assert.instance(error, Problem);
    return (error as Problem).code;
  }
}

for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
  test(`a token signed with ${algorithm} is verified with the key that it names, or with the only one`, () =>
    withIssuer(async (issuer) => {
      const key = await issuer.addKey('one', algorithm);
      const authenticate = authenticatorOf(issuer);
      for (const header of [{ alg: algorithm, kid: 'one' }, { alg: algorithm }])
        assert.is(await outcomeOf(authenticate, await issuer.sign(key, header)), 'ada');
    }));
}

for (const algorithm of ['RS512', 'PS384', 'ES384'] as const) {
  test(`a token signed with ${algorithm} is refused, although the issuer publishes its key`, () =>
    withIssuer(async (issuer) => {
      const key = await issuer.addKey('one', algorithm);
      const { alg: _, ...anyUse } = issuer.published.pop() ?? {};
      issuer.published.push(anyUse);
      const token = await issuer.sign(key, { alg: algorithm, kid: 'one' });
      assert.is(await outcomeOf(authenticatorOf(issuer), token), 'unauthenticated');
    }));
}

test('a rotated key is found at its first token, and a withdrawn one ends the tokens that it signed', () =>
  withIssuer(async (issuer) => {
    const first = await issuer.addKey('first');
    const authenticate = authenticatorOf(issuer);
    const old = await issuer.sign(first, { kid: 'first' });
    assert.is(await outcomeOf(authenticate, old), 'ada');
    const second = await issuer.addKey('second');
    const token = await issuer.sign(second, { kid: 'second' });
    assert.is(await outcomeOf(authenticate, token), 'ada');
    assert.is(await outcomeOf(authenticate, old), 'ada', 'both are published');
    issuer.published.shift();
    const third = await issuer.addKey('third');
    assert.is(await outcomeOf(authenticate, await issuer.sign(third, { kid: 'third' })), 'ada');
    assert.is(await outcomeOf(authenticate, old), 'unauthenticated', 'its key is withdrawn');
    assert.is(await outcomeOf(authenticate, token), 'ada');
  }));

test('callers keep their tokens while keys are rotated under load', () =>
  withIssuer(async (issuer) => {
    let key = await issuer.addKey('key 0');
    const authenticate = authenticatorOf(issuer);
    const outcomes: string[] = [];
    for (let n = 1; n <= 5; n++) {
      const kid = `key ${n - 1}`;
      const signed = await Promise.all(
        Array.from({ length: 20 }, (_, m) => issuer.sign(key, { kid }, { jti: `${n} ${m}` })),
      );
      outcomes.push(...(await Promise.all(signed.map((token) => outcomeOf(authenticate, token)))));
      key = await issuer.addKey(`key ${n}`);
    }
    assert.equal(new Set(outcomes), new Set(['ada']));
  }));

test('tokens that name unknown keys cause one request per interval', () =>
  withIssuer(async (issuer) => {
    const known = await issuer.addKey('known');
    const unknown = await issuer.addKey('unknown', 'ES256', false);
    const authenticate = authenticatorOf(issuer, { intervalMs: 60_000 });
    assert.is(await outcomeOf(authenticate, await issuer.sign(known, { kid: 'known' })), 'ada');
    for (let n = 0; n < 100; n++) {
      const token = await issuer.sign(unknown, { kid: `unknown ${n}` });
      assert.is(await outcomeOf(authenticate, token), 'unauthenticated');
    }
    assert.is(issuer.asked(), 1);
    assert.is(await outcomeOf(authenticate, await issuer.sign(known, { kid: 'known' }, { jti: 'x' })), 'ada');
  }));

const answers: Readonly<Record<string, NonNullable<Issuer['answer']>>> = {
  'is down': (response) => response.destroy(),
  'answers with an error': (response) => response.writeHead(500).end('{"keys":[]}'),
  'redirects elsewhere': (response) => response.writeHead(302, { location: '/other' }).end(),
  'does not answer in time': () => undefined,
  'sends its body too slowly': (response) => response.writeHead(200).write('{"keys":'),
  'answers with too much': (response) => response.end(`{"keys":[${'{},'.repeat(100_000)}{}]}`),
  'never stops sending': (response) => {
    response.on('drain', () => response.write(' '.repeat(65_536)));
    while (response.write(' '.repeat(65_536)));
  },
  'answers with garbage': (response) => response.end('<html>'),
  'answers with other JSON': (response) => response.end('{"keys":"none"}'),
};

/** Short only where a test waits for it: a busy machine takes long to answer. */
const timeoutFor = (what: string): number => (/in time|slowly/.test(what) ? 500 : 60_000);

for (const [what, answer] of Object.entries(answers)) {
  test(`while the issuer ${what}, the keys fetched before stay in use`, () =>
    withIssuer(async (issuer) => {
      const key = await issuer.addKey('one');
      const authenticate = authenticatorOf(issuer, { timeoutMs: timeoutFor(what) });
      const token = (jti: string) => issuer.sign(key, { kid: 'one' }, { jti });
      const first = await token('1');
      await until(async () => (await outcomeOf(authenticate, first)) === 'ada');
      const asked = issuer.asked();
      issuer.answer = answer;
      const other = await issuer.sign(key, { kid: 'two' });
      assert.is(await outcomeOf(authenticate, other), 'unauthenticated', 'asks again, in vain');
      assert.is(issuer.asked(), asked + 1);
      assert.is(await outcomeOf(authenticate, await token('2')), 'ada');
      issuer.answer = undefined;
      issuer.published.push({ ...issuer.published[0], kid: 'two' });
      await until(async () => (await outcomeOf(authenticate, other)) === 'ada');
    }));

  test(`an issuer that ${what} from the start means that tokens cannot be checked`, () =>
    withIssuer(async (issuer) => {
      const key = await issuer.addKey('one');
      issuer.answer = answer;
      const authenticate = authenticatorOf(issuer, { timeoutMs: timeoutFor(what) });
      const token = await issuer.sign(key, { kid: 'one' });
      assert.is(await outcomeOf(authenticate, token), 'keys-unavailable');
      issuer.answer = undefined;
      await until(async () => (await outcomeOf(authenticate, token)) === 'ada');
    }));
}

test('keys are fetched again in the background when they are old', () =>
  withIssuer(async (issuer) => {
    const key = await issuer.addKey('one');
    const authenticate = authenticatorOf(issuer, { refreshAfterMs: 0 });
    const token = (jti: string) => issuer.sign(key, { kid: 'one' }, { jti });
    assert.is(await outcomeOf(authenticate, await token('1')), 'ada');
    await until(() => issuer.asked() > 1);
    issuer.answer = answers['does not answer in time'];
    assert.is(await outcomeOf(authenticate, await token('2')), 'ada', 'nobody waits for it');
  }));

test('a key that was withdrawn in an idle time verifies no token after it', () =>
  withIssuer(async (issuer) => {
    const key = await issuer.addKey('one');
    const authenticate = authenticatorOf(issuer, { refreshAfterMs: Infinity, waitAfterMs: 200 });
    assert.is(await outcomeOf(authenticate, await issuer.sign(key, { kid: 'one' }, { jti: '1' })), 'ada');
    issuer.published.splice(0);
    await issuer.addKey('two');
    const late = await issuer.sign(key, { kid: 'one' }, { jti: '2' });
    await delay(250);
    assert.is(await outcomeOf(authenticate, late), 'unauthenticated');
  }));

test('keys that could not be fetched for too long are no longer trusted', () =>
  withIssuer(async (issuer) => {
    const key = await issuer.addKey('one');
    const authenticate = authenticatorOf(issuer, { distrustAfterMs: 1_000 });
    assert.is(await outcomeOf(authenticate, await issuer.sign(key, { kid: 'one' })), 'ada');
    issuer.answer = answers['is down'];
    let n = 0;
    const next = async () =>
      outcomeOf(authenticate, await issuer.sign(key, { kid: 'one' }, { jti: `${n++}` }));
    await until(async () => (await next()) === 'keys-unavailable');
    issuer.answer = undefined;
    assert.is(await next(), 'ada');
  }));

test('symmetric, private and short keys in a key set are never used', () =>
  withIssuer(async (issuer) => {
    const key = await issuer.addKey('one');
    const authenticate = authenticatorOf(issuer);
    const secret = Buffer.from('a secret of thirty-two bytes, no less');
    issuer.published.push({ kty: 'oct', kid: 'oct', k: secret.toString('base64url') });
    const shared = await issuer.sign(secret as never, { alg: 'HS256', kid: 'oct' });
    assert.is(await outcomeOf(authenticate, shared), 'unauthenticated');
    assert.is(await outcomeOf(authenticate, await issuer.sign(key, { kid: 'one' })), 'ada');
  }));
