import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Answered, post, refusalIn } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { loadService } from '../service/load-service.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { startHost } from './host.js';

const test = suite('pages of a host that authenticates');

const example = fileURLToPath(new URL('../../examples/orders', import.meta.url));
const pages = [
  ...['/health', '/metrics', '/docs', '/openapi.json', '/machines', '/console', '/console/api/host'],
];
const release = '/console/api/perspectives/order-summary/release';
const parkedRow = `INSERT INTO svc_stuck_work(follower, key, position, state, attempts, error)
  SELECT table_name, 'a', 1, 'parked', 1, 'no' FROM svc_perspectives WHERE name = 'order-summary'`;

interface Scene {
  readonly url: string;
  readonly databaseUrl: string;
  get(path: string, headers?: Env): Promise<Answered>;
  /** A key with permissions, as a header. */
  keyWith(name: string, permissions: string): Promise<Env>;
}
type Env = Readonly<Record<string, string>>;

const withGuardedHost = (env: Env, body: (scene: Scene) => Promise<void>): Promise<void> =>
  withStore(async (DATABASE_URL) => {
    const given = { SVC_PORT: '0', DATABASE_URL, SVC_LOG: 'silent', SVC_INSPECT: '1' };
    const config = readConfig({ ...given, SVC_AUTH: 'api-key', NODE_ENV: 'production', ...env });
    const host = await startHost(await loadService(example), config);
    const { url } = host;
    const get = async (path: string, headers: Env = {}): Promise<Answered> => {
      // Pages may name what other answers must not.
      const answer = await fetch(`${url}${path}`, { headers });
      const { status } = answer;
      return { status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
    };
    const keyWith = async (name: string, permissions: string): Promise<Env> => {
      const args = ['--name', name, '--user', name, '--permissions', permissions];
      const { stdout } = await svcInProcess(['keys', 'create', ...args, '--json'], { DATABASE_URL });
      const headers = { authorization: `Bearer ${(JSON.parse(stdout) as { key: string }).key}` };
      // Too many wrong credentials in a minute would be refused unseen.
      await until(async () => {
        const isKnown = (await get('/health', headers)).status !== 401;
        if (!isKnown) await delay(500);
        return isKnown;
      });
      return headers;
    };
    try {
      await body({ url, databaseUrl: DATABASE_URL, get, keyWith });
    } finally {
      await host.stop();
    }
  });

test('nothing is open but liveness and the status of readiness, until a key may observe', () =>
  withGuardedHost({}, async ({ url, databaseUrl, get, keyWith }) => {
    for (const path of pages) assert.is(refusalIn(await get(path)), '401 unauthenticated', path);
    assert.is((await get('/health/live')).status, 200);
    assert.match((await get('/health/ready')).text, /^\{"status":"\w+"\}$/);
    const scraper = await keyWith('scraper', 'svc:observe');
    for (const path of pages) assert.is((await get(path, scraper)).status, 200, path);
    assert.match((await get('/health/ready', scraper)).text, '"checks":[{');
    assert.is(refusalIn(await post(url, {}, { path: release, headers: scraper })), '403 access-denied');
    const operator = await keyWith('ada', 'svc:operate');
    assert.is(refusalIn(await get('/metrics', operator)), '403 access-denied');
    await rowsOf(databaseUrl, parkedRow);
    assert.is((await post(url, {}, { path: release, headers: operator })).status, 200);
    const eventsOf = (type: string) =>
      rowsOf(
        databaseUrl,
        `SELECT DISTINCT data->>'resourceType' FROM svc_system_stream WHERE event_type = '${type}' ORDER BY 1`,
      );
    const has = async (type: string, resource: string) =>
      (await eventsOf(type)).some(([found]) => found === resource);
    for (const resource of ['console', 'docs', 'health', 'machines', 'metrics']) {
      await until(() => has('AccessGranted', resource), 30_000);
      await until(() => has('AccessDenied', resource), 30_000);
    }
    const actors = `SELECT data->>'actor' FROM svc_system_stream
      WHERE event_type = 'OperatorActed' AND data->>'action' = 'perspectives release'`;
    assert.equal(await rowsOf(databaseUrl, actors), [['ada']]);
  }));

test('a key signs a browser in until it is revoked', () =>
  withGuardedHost({ SVC_TRUSTED_PROXIES: '127.0.0.1' }, async ({ url, databaseUrl, get, keyWith }) => {
    const key = (await keyWith('eve', 'svc:observe'))['authorization']?.slice('Bearer '.length) ?? '';
    const encrypted = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.5' };
    const signedIn = await post(url, { credential: key }, { path: '/console/session', headers: encrypted });
    assert.is(signedIn.text, '{"user":"eve"}');
    const set = signedIn.headers['set-cookie']?.[0] ?? '';
    assert.match(set, /; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    assert.is(signedIn.headers['strict-transport-security'], 'max-age=31536000');
    const cookie = { cookie: set.split(';', 1)[0] ?? '' };
    assert.is((await get('/console/api/host', cookie)).status, 200);
    assert.is(refusalIn(await get('/orders', cookie)), '401 unauthenticated', 'no reads');
    const id = key.split('_')[1] ?? '';
    await svcInProcess(['keys', 'revoke', id, '--reason', 'test'], { DATABASE_URL: databaseUrl });
    await until(async () => (await get('/console/api/host', cookie)).status === 401, 10_000);
  }));

test('wrong credentials are limited without any setting', () =>
  withGuardedHost({}, async ({ get }) => {
    const guess = (n: number) => get('/orders', { authorization: `Bearer guess-${n}` });
    const statuses: number[] = [];
    for (let n = 0; n < 40; n++) statuses.push((await guess(n)).status);
    assert.equal([...new Set(statuses)], [401, 429]);
    assert.is((await get('/health/live')).status, 200);
  }));

test('SVC_RATE_LIMIT limits each key for itself', () =>
  withGuardedHost({ SVC_RATE_LIMIT: '30/h' }, async ({ get, keyWith }) => {
    const [one, other] = [await keyWith('one', 'svc:observe'), await keyWith('other', 'svc:observe')];
    const answers: Answered[] = [];
    for (let n = 0; n < 35; n++) answers.push(await get('/openapi.json', one));
    assert.is(answers[0]?.headers['ratelimit-policy'], '"default";q=30;w=3600');
    const last = answers.at(-1);
    assert.is(last && refusalIn(last), '429 rate-limited');
    assert.ok(Number(last?.headers['retry-after']) > 0);
    assert.is((await get('/openapi.json', other)).status, 200);
  }));
