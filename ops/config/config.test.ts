import { hostname } from 'node:os';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { readConfig } from './config.js';
import { faultsOf } from '../testing/config-faults.js';

const test = suite('config');

test('everything is optional', () => {
  assert.equal(readConfig({}), {
    port: 3000,
    bind: '127.0.0.1',
    name: hostname(),
    dataDir: '.svc',
    witnessDir: undefined,
    databaseUrl: undefined,
    ownerUrl: undefined,
    durability: undefined,
    masterKey: undefined,
    masterKeyOld: undefined,
    deadlineMs: 30_000,
    bodyLimit: 1_048_576,
    liveWatchers: 5_000,
    tenantWeights: new Map(),
    patienceMs: 1_500,
    rebuildThreads: undefined,
    audit: 'all',
    auditMode: 'OptOut',
    broadcast: false,
    signMessages: false,
    signingKey: undefined,
    signingKeyOld: undefined,
    development: true,
    inspect: true,
    inspectToken: undefined,
    operatorToken: undefined,
    localOnly: true,
    natsUrl: undefined,
    natsCredentials: {},
    amqpUrl: undefined,
    auth: [],
    rateLimit: undefined,
    tenantRateLimit: undefined,
    trustedProxies: [],
    corsOrigins: undefined,
    namespace: 'svc',
    messageFormat: 'msgpack',
    storeTrust: 'pin',
    logLevel: 'info',
  });
});

test('every setting can be given', () => {
  const config = readConfig({
    SVC_PORT: '0',
    SVC_BIND: '::1',
    SVC_NAME: 'north',
    SVC_DATA_DIR: '/var/lib/orders',
    DATABASE_URL: 'postgres://orders:secret@db:5432/orders',
    DATABASE_OWNER_URL: 'postgresql://owner@db/orders',
    SVC_DURABILITY: 'sync',
    SVC_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_DEADLINE_MS: '500',
    SVC_BODY_LIMIT: '1024',
    SVC_LIVE_WATCHERS: '50',
    SVC_TENANT_WEIGHTS: 'north=10',
    SVC_REBUILD_THREADS: '3',
    SVC_PATIENCE_MS: '20000',
    SVC_AUDIT: 'events',
    SVC_AUDIT_MODE: 'OptIn',
    SVC_BROADCAST: '1',
    NODE_ENV: 'production',
    SVC_LOG: 'debug',
    SVC_INSPECT_TOKEN: 'let-me-look-at-the-hosts-of-orders',
    SVC_OPERATOR_TOKEN: 'let-me-act-on-the-hosts-of-orders-',
    SVC_AUTH: 'none',
    SVC_RATE_LIMIT: '1000/min',
    SVC_TENANT_RATE_LIMIT: '500/s',
    SVC_TRUSTED_PROXIES: '10.0.0.7, fd00::/8',
    SVC_CORS_ORIGINS: 'https://shop.example, http://localhost:5173',
    SVC_NAMESPACE: 'staging-2',
    SVC_MESSAGE_FORMAT: 'cloudevents',
    SVC_STORE_TRUST: 'strict',
    SVC_SIGN_MESSAGES: '1',
  });
  assert.equal(config, {
    port: 0,
    bind: '::1',
    name: 'north',
    dataDir: '/var/lib/orders',
    witnessDir: '/var/lib/orders/witness',
    databaseUrl: 'postgres://orders:secret@db:5432/orders',
    ownerUrl: 'postgresql://owner@db/orders',
    durability: 'sync',
    masterKey: Buffer.alloc(32, 7),
    masterKeyOld: undefined,
    deadlineMs: 500,
    bodyLimit: 1024,
    liveWatchers: 50,
    tenantWeights: new Map([['north', 10]]),
    patienceMs: 20_000,
    rebuildThreads: 3,
    audit: 'events',
    auditMode: 'OptIn',
    broadcast: true,
    signMessages: true,
    signingKey: undefined,
    signingKeyOld: undefined,
    development: false,
    inspect: false,
    inspectToken: 'let-me-look-at-the-hosts-of-orders',
    operatorToken: 'let-me-act-on-the-hosts-of-orders-',
    localOnly: false,
    natsUrl: undefined,
    natsCredentials: {},
    amqpUrl: undefined,
    auth: [],
    rateLimit: { limit: 1000, windowSeconds: 60 },
    tenantRateLimit: { limit: 500, windowSeconds: 1 },
    trustedProxies: ['10.0.0.7', 'fd00::/8'],
    corsOrigins: ['https://shop.example', 'http://localhost:5173'],
    namespace: 'staging-2',
    messageFormat: 'cloudevents',
    storeTrust: 'strict',
    logLevel: 'debug',
  });
});

test('an empty value counts as unset', () => {
  const names = ['SVC_PORT', 'SVC_BIND', 'SVC_NAME', 'SVC_DATA_DIR', 'DATABASE_URL', 'SVC_LOG'];
  assert.equal(readConfig(Object.fromEntries(names.map((name) => [name, '']))), readConfig({}));
});

test('a deadline and a body limit of zero are refused', () => {
  assert.match(faultsOf({ SVC_DEADLINE_MS: '0' }), /^SVC_DEADLINE_MS must be/);
  assert.match(faultsOf({ SVC_BODY_LIMIT: '0' }), /^SVC_BODY_LIMIT must be/);
});

for (const [env, trust] of [
  [{ NATS_URL: 'nats://localhost:4222' }, 'pin'],
  [{ NATS_URL: 'nats://127.0.0.1,[::1]:4222' }, 'pin'],
  [{ NATS_URL: 'nats://localhost,broker:4222' }, 'strict'],
  [{ NATS_URL: 'nats://localhost.example.com' }, 'strict'],
  [{ NATS_URL: 'nats://ann:secret@broker' }, 'pin'],
  [{ NATS_URL: 'nats://broker', NATS_TOKEN: 'secret' }, 'pin'],
  [{ NATS_URL: 'nats://localhost', SVC_STORE_TRUST: 'strict' }, 'strict'],
] as const)
  test(`with ${JSON.stringify(env)} the trust in new stores is ${trust}`, () => {
    assert.is(readConfig(env).storeTrust, trust);
  });

test('the database and the broker may be several servers', () => {
  const several = { DATABASE_URL: 'postgres://a:1,b:2/orders', NATS_URL: 'nats://a:1,b:2' };
  const { databaseUrl, natsUrl } = readConfig(several);
  assert.equal({ DATABASE_URL: databaseUrl, NATS_URL: natsUrl }, several);
});

test('the embedded server cannot keep what sync promises', () => {
  assert.match(faultsOf({ SVC_DURABILITY: 'sync' }), /^SVC_DURABILITY=sync needs DATABASE_URL/);
});

test('a namespace that cannot begin the names at a broker is one line', () => {
  for (const bad of ['Staging', 'a.b', 'a_b', 'a b', '>', 'x'.repeat(33)])
    assert.is(
      faultsOf({ SVC_NAMESPACE: bad }),
      `SVC_NAMESPACE must be 1 to 32 lower-case letters, digits and -, not '${bad}'`,
    );
});

test('all bad values are reported at once', () => {
  const names = [
    'DATABASE_OWNER_URL',
    'DATABASE_URL',
    'SVC_AUDIT',
    'SVC_AUDIT_MODE',
    'SVC_BODY_LIMIT',
    'SVC_BROADCAST',
    'SVC_CORS_ORIGINS',
    'SVC_DEADLINE_MS',
    'SVC_LOG',
    'SVC_MESSAGE_FORMAT',
    'SVC_PORT',
    'SVC_RATE_LIMIT',
    'SVC_REBUILD_THREADS',
    'SVC_TENANT_RATE_LIMIT',
    'SVC_TRUSTED_PROXIES',
  ];
  const faults = faultsOf(Object.fromEntries(names.map((name) => [name, 'x'])));
  assert.equal(
    faults
      .split('; ')
      .map((fault) => fault.replace(/ .*/, ''))
      .toSorted(),
    names,
  );
});

test('without an argument the environment of the process is read', () => {
  assert.is(readConfig().port, readConfig(process.env).port);
});

test('failpoints are refused in production', () => {
  const failpoints = { SVC_FAILPOINTS: 'store-before-commit' };
  assert.match(faultsOf({ ...failpoints, NODE_ENV: 'production' }), /^SVC_FAILPOINTS makes the process exit/);
  assert.is(faultsOf({ ...failpoints, NODE_ENV: 'test' }), 'none');
});
