import { createHmac, createPublicKey } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import * as assert from 'uvu/assert';
import type { Authenticate, Identity, IdentityInit } from '../../../contracts/identity.js';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { jwtAuthenticator, type JwtSettings } from './jwt.js';
import { secondsFromNow, withIssuer } from './testing/issuer.js';

const test = suite('JWT');

const secret = 'a secret of thirty-two bytes, no less';
const key = new TextEncoder().encode(secret);
const settings: JwtSettings = { key: { secret }, issuer: 'https://login.example/', audience: 'orders' };
const valid = { iss: 'https://login.example/', aud: 'orders', sub: 'ada' };

const signed = (claims: JWTPayload = {}, header = {}, by: Uint8Array = key): Promise<string> =>
  new SignJWT({ ...valid, exp: secondsFromNow(60), ...claims })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(by);

const ask = (authenticate: Authenticate, authorization: string | undefined) =>
  authenticate({ method: 'POST', url: '/', headers: { authorization }, remoteAddress: '::1' });

const by = (authenticate: Authenticate, token: string) => ask(authenticate, `Bearer ${token}`);

/** The same answer for every refusal. */
async function mustRefuse(authenticate: Authenticate, token: string, why: string): Promise<void> {
  let refusal: unknown;
  try {
    await by(authenticate, token);
  } catch (error) {
    refusal = error;
  }
  assert.instance(refusal, Problem, why);
  const { code, detail, headers } = refusal as Problem;
  assert.equal(
    [code, detail, headers?.['www-authenticate']],
    ['unauthenticated', 'Send valid credentials.', 'Bearer'],
    why,
  );
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('the claims of a token are the identity of its bearer', async () => {
  const claims = {
    name: 'Ada',
    tenant: 'north',
    org: 'mills',
    customer: 'c7',
    roles: ['baker'],
    permissions: ['bread:bake'],
  };
  const identity = (await by(jwtAuthenticator(settings), await signed(claims))) as Identity;
  assert.equal(
    { ...identity, permissions: identity.permissions.map(String) },
    {
      scope: {
        userId: 'ada',
        tenantId: 'north',
        organizationId: 'mills',
        customerId: 'c7',
        allowedPrincipals: [],
        extensions: {},
      },
      roles: ['baker'],
      permissions: ['bread:bake'],
      displayName: 'Ada',
      source: 'jwt:login.example',
    },
  );
});

test('a request without a bearer token is left to others, as is one with an API key', async () => {
  const authenticate = jwtAuthenticator(settings);
  const token = await signed();
  for (const authorization of [undefined, '', 'Basic YTpi', `Bearer svc_${token}`, token])
    assert.is(ask(authenticate, authorization), null);
  assert.is(((await ask(authenticate, `bearer  ${token} `)) as IdentityInit).scope?.userId, 'ada');
});

test('a token that was verified before needs no promise, until it expires or five minutes have passed', async () => {
  let now = Date.now();
  const authenticate = jwtAuthenticator(settings, { now: () => now });
  const token = await signed({ exp: secondsFromNow(3_600) });
  const first = by(authenticate, token);
  const meanwhile = by(authenticate, token);
  assert.instance(first, Promise);
  const identity = await first;
  assert.is(await meanwhile, identity);
  assert.is(by(authenticate, token), identity);
  assert.ok(Object.isFrozen(identity));
  now += 299_000;
  assert.is(by(authenticate, token), identity);
  now += 2_000;
  const again = by(authenticate, token);
  assert.instance(again, Promise, 'verified again');
  await again;
  const brief = await signed({ exp: Math.floor(now / 1_000) + 60 });
  await by(authenticate, brief);
  now += 61_000;
  assert.ok(await by(authenticate, brief), 'the clocks may differ by five seconds');
  now += 5_000;
  await mustRefuse(authenticate, brief, 'expired');
});

test('a token with wrong claims is refused', async () => {
  const authenticate = jwtAuthenticator(settings);
  for (const [why, claims] of Object.entries({
    expired: { exp: secondsFromNow(-6) },
    'without exp': { exp: undefined },
    'exp of another type': { exp: 'tomorrow' as unknown as number },
    'not yet valid': { nbf: secondsFromNow(20) },
    'issued in the future': { iat: secondsFromNow(20) },
    'another audience': { aud: 'shipping' },
    'several other audiences': { aud: ['shipping', 'stock'] },
    'no audience': { aud: undefined },
    'another issuer': { iss: 'https://login.example' },
    'no issuer': { iss: undefined },
  }))
    await mustRefuse(authenticate, await signed(claims as JWTPayload), why);
  for (const claims of [
    { exp: secondsFromNow(-3) },
    { nbf: secondsFromNow(3) },
    { iat: secondsFromNow(3) },
    { aud: ['stock', 'orders'] },
  ])
    assert.ok(await by(authenticate, await signed(claims)), 'the clocks may differ by five seconds');
});

test('a token with malformed claims is refused', async () => {
  const authenticate = jwtAuthenticator(settings);
  for (const claims of [
    ...[5, true, {}, ['north'], '', 'n'.repeat(257), 'nor\u0000th', '\ud800'].map((tenant) => ({ tenant })),
    ...['x', 5, {}, ['x'], [5], [null], ['a:b:c'], [['a:b']]].map((permissions) => ({ permissions })),
    ...['admin', 7, { 0: 'admin' }, [7], Array<string>(1_001).fill('r')].map((roles) => ({ roles })),
    { sub: 7 },
    { name: ['Ada'] },
  ])
    await mustRefuse(authenticate, await signed(claims as JWTPayload), JSON.stringify(claims).slice(0, 80));
  assert.ok(
    await by(authenticate, await signed({ tenant: null, roles: null, ['__proto__']: { tenant: 7 } })),
  );
});

test('a token that is not signed with the key is refused', async () => {
  const authenticate = jwtAuthenticator(settings);
  const token = await signed({ permissions: ['bread:eat'] });
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = { ...valid, exp: secondsFromNow(60) };
  const none = (alg: string) => `${encoded({ alg, typ: 'JWT' })}.${encoded(claims)}.`;
  for (const [why, forged] of Object.entries({
    'another key': await signed({}, {}, new TextEncoder().encode(`${secret}!`)),
    'alg none': none('none'),
    'alg None': none('None'),
    'alg none with a signature': `${encoded({ alg: 'none' })}.${payload}.${signature}`,
    'other claims': `${header}.${encoded({ ...claims, permissions: ['*:*'] })}.${signature}`,
    'another HMAC': await signed({}, { alg: 'HS512' }, key),
    'no signature': `${header}.${payload}.`,
    'two parts': `${header}.${payload}`,
    'five parts': `${token}.a.b`,
    'unknown crit': `${encoded({ alg: 'HS256', crit: ['x'], x: 1 })}.${payload}.${signature}`,
    'no JSON': 'a.b.c',
    nothing: '',
    dots: '..',
    'claims that are a list': `${header}.${encoded([])}.${signature}`,
  }))
    await mustRefuse(authenticate, forged, why);
});

test('a token of more than 8 KiB is refused before anything is done with it', async () => {
  const authenticate = jwtAuthenticator(settings);
  const long = await signed({ note: 'n'.repeat(8_192) });
  assert.throws(() => by(authenticate, long), /Send valid credentials/);
  assert.throws(() => by(authenticate, 'a'.repeat(1 << 20)), /Send valid credentials/);
  assert.ok(await by(authenticate, await signed({ note: 'n'.repeat(5_000) })));
});

test('the public key of an issuer is no shared secret', () =>
  withIssuer(async (issuer) => {
    await issuer.addKey('one', 'RS256');
    const authenticate = jwtAuthenticator({ key: issuer, issuer: issuer.issuer, audience: issuer.audience });
    const [jwk] = issuer.published;
    const publicKey = createPublicKey({ key: jwk as never, format: 'jwk' });
    const claims = encoded({ iss: issuer.issuer, aud: issuer.audience, exp: secondsFromNow(60) });
    for (const format of ['pem', 'der'] as const)
      for (const type of ['spki', 'pkcs1'] as const) {
        const text = `${encoded({ alg: 'HS256', kid: 'one' })}.${claims}`;
        const hmac = createHmac('sha256', publicKey.export({ type, format } as never));
        await mustRefuse(
          authenticate,
          `${text}.${hmac.update(text).digest('base64url')}`,
          `${format} ${type}`,
        );
      }
  }));

test('a token must not name the key that verifies it', () =>
  withIssuer(async (issuer) => {
    await issuer.addKey('one');
    const own = await issuer.addKey('own', 'ES256', false);
    const authenticate = jwtAuthenticator({ key: issuer, issuer: issuer.issuer, audience: issuer.audience });
    const { jwksUrl } = issuer;
    for (const header of [{ kid: 'one', jku: jwksUrl }, { kid: 'one', x5u: jwksUrl }, { kid: 'own' }, {}])
      await mustRefuse(authenticate, await issuer.sign(own, header), JSON.stringify(header));
    for (const kid of [
      '../../etc/passwd',
      "' OR 1=1 --",
      '__proto__',
      'constructor',
      '\u0000',
      'k'.repeat(4_000),
    ])
      await mustRefuse(authenticate, await issuer.sign(own, { kid }), kid.slice(0, 20));
  }));
