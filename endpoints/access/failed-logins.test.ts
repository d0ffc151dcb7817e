import * as assert from 'uvu/assert';
import { identityFrom } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { unauthenticated } from '../../runtime/access/access-guard.js';
import { log } from '../../runtime/logging/log.js';
import { order, withBakery } from '../testing/bakery.js';
import { post, refusalIn } from '../testing/http-client.js';
import { bearing, knownCallers } from '../testing/known-callers.js';
import type { Identify } from './authentication.js';
import { isToken } from './credentials.js';
import { FailedLogins, limitingFailures } from './failed-logins.js';
import { TrustedProxies } from './trusted-proxies.js';

const test = suite('failed logins');

const proxies = new TrustedProxies(['127.0.0.1']);

async function withLogins(
  body: (send: (name: string, address: string) => Promise<string>, clock: { now: number }) => Promise<void>,
): Promise<void> {
  const known = knownCallers();
  const clock = { now: 1_000_000 };
  const failures = new FailedLogins(proxies, () => clock.now);
  const authentication = limitingFailures(known, failures);
  await withBakery({ http: { authentication } }, ({ url }) =>
    body(async (name, address) => {
      const headers = { ...bearing(name), 'x-forwarded-for': address };
      const answer = await post(url, order, { path: '/cake', headers });
      return answer.status === 200 ? '200' : refusalIn(answer);
    }, clock),
  );
}

test('ten guesses a minute and address, then none is looked at', () =>
  withLogins(async (send, clock) => {
    for (let n = 0; n < 10; n++) assert.is(await send(`guess-${n}`, '1.1.1.1'), '401 unauthenticated');
    assert.is(await send('guess-11', '1.1.1.1'), '429 rate-limited');
    assert.is(await send('operator', '1.1.1.1'), '429 rate-limited', 'a guess that is right is not revealed');
    assert.is(await send('operator', '1.1.1.2'), '200', 'another address is not affected');
    clock.now += 60_000;
    assert.is(await send('operator', '1.1.1.1'), '200');
  }));

test('an address is logged once a minute, without what it sent', async () => {
  const logged: unknown[] = [];
  const before = log.warn;
  log.warn = (facts: unknown, message?: unknown) => void logged.push([facts, message]);
  try {
    await withLogins(async (send, clock) => {
      for (let n = 0; n < 5; n++) await send(`guess-${n}`, '1.1.1.1');
      await send('guess-6', '1.1.1.2');
      clock.now += 60_000;
      await send('guess-7', '1.1.1.1');
    });
  } finally {
    log.warn = before;
  }
  assert.not.match(JSON.stringify(logged), 'guess');
  const message = 'wrong credentials were refused';
  assert.equal(
    logged.map((line) => (line as [Record<string, unknown>, string])[0]['address']),
    ['1.1.1.1', '1.1.1.2', '1.1.1.1'],
  );
  for (const line of logged as [Record<string, unknown>, string][])
    assert.equal([line[0]['method'], line[0]['path'], line[1]], ['POST', '/cake', message]);
});

test('a wrong credential in a cookie is logged as well', async () => {
  let logged = 0;
  const before = log.warn;
  log.warn = () => void logged++;
  try {
    const { guard } = knownCallers();
    const identify = () => {
      throw new Problem('unauthenticated');
    };
    const authentication = limitingFailures({ identify, guard }, new FailedLogins());
    await withBakery({ http: { authentication } }, async ({ url }) => {
      for (let n = 0; n < 3; n++)
        assert.is((await post(url, order, { headers: { cookie: `session=${n}` } })).status, 401);
    });
  } finally {
    log.warn = before;
  }
  assert.is(logged, 1);
});

test('the log has the reason of the runtime, and never the words of an authenticator of the service', async () => {
  const reasons: unknown[] = [];
  const before = log.warn;
  log.warn = (facts: unknown) => void reasons.push((facts as { reason?: unknown }).reason);
  const { guard } = knownCallers();
  try {
    for (const identify of [
      () => {
        throw unauthenticated('The token has expired.');
      },
      () => {
        throw new Problem('unauthenticated', { detail: 'session-7', cause: 'session-7' });
      },
      () => null,
    ]) {
      const authentication = limitingFailures({ identify, guard }, new FailedLogins());
      await withBakery({ http: { authentication } }, async ({ url }) => {
        const { status } = await post(url, order, { path: '/cake', headers: bearing('ada') });
        assert.is(status, 401);
      });
    }
  } finally {
    log.warn = before;
  }
  const notTaken = 'This host does not take credentials of this kind.';
  assert.equal(reasons, ['The token has expired.', undefined, notTaken]);
});

test('one wrong credential may be repeated longer than others may be guessed', () =>
  withLogins(async (send) => {
    for (let n = 0; n < 28; n++) assert.is(await send('expired', '1.1.1.1'), '401 unauthenticated');
    assert.is(await send('expired', '1.1.1.1'), '429 rate-limited');
  }));

test('credentials that were accepted meanwhile stay so behind the same address', () =>
  withLogins(async (send) => {
    assert.is(await send('guess', '1.1.1.1'), '401 unauthenticated');
    assert.is(await send('guest', '1.1.1.1'), '200');
    for (let n = 0; n < 40; n++) await send(`guess-${n}`, '1.1.1.1');
    assert.is(await send('guest', '1.1.1.1'), '200');
    assert.is(await send('operator', '1.1.1.1'), '429 rate-limited');
  }));

test('credentials that no authenticator recognizes are wrong where some are needed, and ignored elsewhere', async () => {
  const { guard } = knownCallers();
  const failures = new FailedLogins(proxies, () => 0);
  const authentication = limitingFailures({ guard, identify: () => null }, failures);
  await withBakery({ http: { authentication } }, async ({ url }) => {
    const bake = (path: string, body: unknown) =>
      post(url, body, { path, headers: { authorization: 'Basic x' } });
    for (let n = 0; n < 40; n++) assert.is((await bake('/bun', { who: 'Ada' })).status, 200);
    for (let n = 0; n < 28; n++) assert.is((await bake('/cake', order)).status, 401);
    assert.is((await bake('/cake', order)).status, 429);
  });
});

test('right credentials and refused permissions are no failures', () =>
  withLogins(async (send) => {
    for (let n = 0; n < 40; n++) assert.is(await send('observer', '1.1.1.1'), '200');
  }));

test('a signed token is checked past the limit, and a wrong one is still limited', async () => {
  const { guard } = knownCallers();
  const identify: Identify = ({ headers: { authorization } }) => {
    if (authorization !== 'Bearer a.valid.token') throw unauthenticated('The signature is not valid.');
    return identityFrom({ source: 'test', scope: { userId: 'ada' } });
  };
  const authentication = limitingFailures({ identify, guard }, new FailedLogins(), isToken);
  await withBakery({ http: { authentication } }, async ({ url }) => {
    const send = (name: string) => post(url, order, { path: '/cake', headers: bearing(name) });
    for (let n = 0; n < 10; n++) assert.is((await send(`guess-${n}`)).status, 401);
    assert.is((await send('svc_guessed')).status, 429);
    assert.is((await send('a.forged.token')).status, 429);
    assert.is((await send('a.valid.token')).status, 200);
  });
});
