import { hostname } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../contracts/problems.js';
import { readConfig } from './config.js';

const test = suite('config');

const faultsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return 'none';
  } catch (error) {
    assert.instance(error, Problem);
    return (error as Problem).message;
  }
};

test('everything is optional', () => {
  assert.equal(readConfig({}), {
    port: 3000,
    bind: '127.0.0.1',
    name: hostname(),
    dataDir: '.svc',
    databaseUrl: undefined,
    ownerUrl: undefined,
    deadlineMs: 30_000,
    bodyLimit: 1_048_576,
    liveWatchers: 5_000,
    patienceMs: 1_500,
    rebuildThreads: undefined,
    audit: 'all',
    auditMode: 'OptOut',
    broadcast: false,
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
    trustedProxies: [],
    corsOrigins: undefined,
    messageFormat: 'msgpack',
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
    SVC_DEADLINE_MS: '500',
    SVC_BODY_LIMIT: '1024',
    SVC_LIVE_WATCHERS: '50',
    SVC_REBUILD_THREADS: '3',
    SVC_PATIENCE_MS: '20000',
    SVC_AUDIT: 'events',
    SVC_AUDIT_MODE: 'OptIn',
    SVC_BROADCAST: '1',
    NODE_ENV: 'production',
    SVC_LOG: 'debug',
    SVC_INSPECT_TOKEN: 'let-me-look',
    SVC_OPERATOR_TOKEN: 'let-me-act',
    SVC_AUTH: 'none',
    SVC_RATE_LIMIT: '1000/min',
    SVC_TRUSTED_PROXIES: '10.0.0.7, fd00::/8',
    SVC_CORS_ORIGINS: 'https://shop.example, http://localhost:5173',
    SVC_MESSAGE_FORMAT: 'cloudevents',
  });
  assert.equal(config, {
    port: 0,
    bind: '::1',
    name: 'north',
    dataDir: '/var/lib/orders',
    databaseUrl: 'postgres://orders:secret@db:5432/orders',
    ownerUrl: 'postgresql://owner@db/orders',
    deadlineMs: 500,
    bodyLimit: 1024,
    liveWatchers: 50,
    patienceMs: 20_000,
    rebuildThreads: 3,
    audit: 'events',
    auditMode: 'OptIn',
    broadcast: true,
    development: false,
    inspect: false,
    inspectToken: 'let-me-look',
    operatorToken: 'let-me-act',
    localOnly: false,
    natsUrl: undefined,
    natsCredentials: {},
    amqpUrl: undefined,
    auth: [],
    rateLimit: { limit: 1000, windowSeconds: 60 },
    trustedProxies: ['10.0.0.7', 'fd00::/8'],
    corsOrigins: ['https://shop.example', 'http://localhost:5173'],
    messageFormat: 'cloudevents',
    logLevel: 'debug',
  });
});

test('an empty value counts as unset', () => {
  const names = ['SVC_PORT', 'SVC_BIND', 'SVC_NAME', 'SVC_DATA_DIR', 'DATABASE_URL', 'SVC_LOG'];
  assert.equal(readConfig(Object.fromEntries(names.map((name) => [name, '']))), readConfig({}));
});

for (const port of ['-1', '65536', '3000.5', '0x50', '80 ', 'http', '1e3', 'Infinity']) {
  test(`'${port}' is not a port`, () => {
    assert.is(faultsOf({ SVC_PORT: port }), `SVC_PORT must be a whole number from 0 to 65535, not '${port}'`);
  });
}

test('a deadline and a body limit of zero are refused', () => {
  assert.match(faultsOf({ SVC_DEADLINE_MS: '0' }), /^SVC_DEADLINE_MS must be/);
  assert.match(faultsOf({ SVC_BODY_LIMIT: '0' }), /^SVC_BODY_LIMIT must be/);
});

for (const [name, value] of Object.entries({
  SVC_AUDIT: 'some',
  SVC_AUDIT_MODE: 'optin',
  SVC_BROADCAST: 'yes',
})) {
  test(`'${value}' is not a value of ${name}`, () => {
    assert.match(faultsOf({ [name]: value }), new RegExp(`^${name} must be one of .*, not '${value}'$`));
  });
}

for (const rate of ['100', '100/d', '0/s', '1e3/s', '-1/s', '1.5/s', '/s', '100/ s']) {
  test(`'${rate}' is not a rate`, () => {
    assert.match(faultsOf({ SVC_RATE_LIMIT: rate }), /^SVC_RATE_LIMIT must be a rate such as 100\/s/);
  });
}

for (const proxy of ['proxy.example', '10.0.0.0/33', 'fd00::/129', '10.0.0.7/', '10.0.0.7/8/8', '*']) {
  test(`'${proxy}' is not a trusted proxy`, () => {
    assert.match(faultsOf({ SVC_TRUSTED_PROXIES: proxy }), /^SVC_TRUSTED_PROXIES must be addresses/);
  });
}

for (const origin of [
  'shop.example',
  'https://shop.example/',
  'https://SHOP.example',
  'https://shop.example:443',
  'null',
]) {
  test(`'${origin}' is not an origin`, () => {
    assert.match(
      faultsOf({ SVC_CORS_ORIGINS: origin }),
      /^SVC_CORS_ORIGINS must be '\*' or a scheme and a host/,
    );
  });
}

test('an unknown log level is refused, and the known ones are listed', () => {
  assert.match(faultsOf({ SVC_LOG: 'loud' }), /^SVC_LOG must be one of trace, debug, .*not 'loud'$/);
});

for (const url of ['localhost:5432', 'mysql://db/orders', 'postgres//db/orders', 'postgres://db:port/x']) {
  test(`'${url}' is not a database URL, and the value is not repeated`, () => {
    const fault = faultsOf({ DATABASE_URL: url });
    assert.match(fault, /^DATABASE_URL must be a URL such as/);
    assert.not.match(fault, url);
  });
}

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

test('without SVC_AUTH only this machine may connect', () => {
  assert.equal(accessOf({}), { auth: [], localOnly: true });
  assert.equal(accessOf({ SVC_AUTH: 'none' }), { auth: [], localOnly: false });
  assert.equal(accessOf({ SVC_AUTH: 'jwt', SVC_JWT_SECRET }), { auth: ['jwt'], localOnly: false });
  assert.equal(accessOf({ SVC_AUTH: 'api-key,jwt', SVC_JWT_SECRET }), {
    auth: ['jwt', 'api-key'],
    localOnly: false,
  });
});

const SVC_JWT_SECRET = 'a secret of thirty-two bytes, no less';

test('tokens are verified with a shared key, or with the keys of an issuer', () => {
  const jwtOf = (env: Record<string, string>) => readConfig({ SVC_AUTH: 'jwt', ...env }).jwt;
  assert.equal(jwtOf({ SVC_JWT_SECRET }), {
    key: { secret: SVC_JWT_SECRET },
    issuer: undefined,
    audience: undefined,
  });
  const named = { SVC_JWT_ISSUER: 'https://login.example/', SVC_JWT_AUDIENCE: 'orders' };
  const [issuer, audience] = Object.values(named);
  for (const jwksUrl of ['https://login.example/keys', 'http://127.0.0.1:80/keys', 'http://[::1]/keys'])
    assert.equal(jwtOf({ SVC_JWT_JWKS_URL: jwksUrl, ...named }), { key: { jwksUrl }, issuer, audience });
});

const SVC_JWT_JWKS_URL = 'https://login.example/keys';

for (const [env, fault] of [
  [{}, 'SVC_AUTH=jwt needs either SVC_JWT_SECRET, a shared key for HS256, or SVC_JWT_JWKS_URL'],
  [{ SVC_JWT_SECRET: 'hidden' }, 'SVC_JWT_SECRET must have at least 32 bytes'],
  [{ SVC_JWT_JWKS_URL }, 'SVC_JWT_JWKS_URL needs SVC_JWT_ISSUER and SVC_JWT_AUDIENCE'],
  [
    { SVC_JWT_JWKS_URL, SVC_JWT_ISSUER: 'hidden' },
    'SVC_JWT_JWKS_URL needs SVC_JWT_ISSUER and SVC_JWT_AUDIENCE',
  ],
  ...['http://login.example/hidden', 'hidden', 'file:///hidden', 'https://a:hidden@login.example/'].map(
    (url) => [
      { SVC_JWT_JWKS_URL: url, SVC_JWT_ISSUER: 'a', SVC_JWT_AUDIENCE: 'b' },
      'SVC_JWT_JWKS_URL must be an https URL such as https://login.example/.well-known/jwks.json (http for this machine only)',
    ],
  ),
] as const) {
  test(`SVC_AUTH=jwt is refused with ${JSON.stringify(env)}, and no value is repeated`, () => {
    assert.is(faultsOf({ SVC_AUTH: 'jwt', ...(env as Record<string, string>) }), fault);
  });
}

test('a shared key and the keys of an issuer exclude each other', () => {
  const both = { SVC_JWT_SECRET, SVC_JWT_JWKS_URL, SVC_JWT_ISSUER: 'a', SVC_JWT_AUDIENCE: 'b' };
  assert.match(faultsOf({ SVC_AUTH: 'jwt', ...both }), /needs either SVC_JWT_SECRET/);
});

test('settings for tokens that nobody would check are refused', () => {
  const unused = 'would have no effect: set SVC_AUTH=jwt, or unset';
  for (const SVC_AUTH of ['', 'none', 'api-key'])
    assert.is(faultsOf({ SVC_AUTH, SVC_JWT_SECRET: 'hidden' }), `SVC_JWT_SECRET ${unused} it`);
  assert.is(
    faultsOf({ SVC_JWT_JWKS_URL, SVC_JWT_AUDIENCE: 'orders' }),
    `SVC_JWT_JWKS_URL, SVC_JWT_AUDIENCE ${unused} them`,
  );
  assert.equal(accessOf({ SVC_JWT_SECRET: '' }), { auth: [], localOnly: true });
});

for (const value of ['nonsense', 'None', 'jwt,none', 'jwt,', 'jwt,jwt', ' jwt']) {
  test(`SVC_AUTH='${value}' is refused`, () => {
    assert.match(faultsOf({ SVC_AUTH: value }), /^SVC_AUTH must be jwt, api-key, jwt,api-key, or none/);
  });
}

const accessOf = (env: Record<string, string>) => {
  const { auth, localOnly } = readConfig(env);
  return { auth, localOnly };
};

test('NATS takes one kind of credentials, and pairs are complete', () => {
  const files = { NATS_CREDS: '/run/orders.creds', NATS_TLS_CA: '/run/ca.pem' };
  assert.equal(readConfig(files).natsCredentials, { credsFile: '/run/orders.creds', tlsCa: '/run/ca.pem' });
  assert.match(faultsOf({ NATS_USER: 'a' }), /^NATS_USER and NATS_PASSWORD must be set together$/);
  assert.match(faultsOf({ NATS_TLS_KEY: 'a' }), /^NATS_TLS_CERT and NATS_TLS_KEY must be set together$/);
  const both = { NATS_CREDS: 'a', NATS_TOKEN: 'a-secret' };
  assert.is(faultsOf(both), 'NATS_CREDS and NATS_TOKEN are set; NATS takes one of them');
});

test('failpoints are refused in production', () => {
  const failpoints = { SVC_FAILPOINTS: 'store-before-commit' };
  assert.match(faultsOf({ ...failpoints, NODE_ENV: 'production' }), /^SVC_FAILPOINTS makes the process exit/);
  assert.is(faultsOf({ ...failpoints, NODE_ENV: 'test' }), 'none');
});

test('a malformed failpoint is refused', () => {
  assert.is(faultsOf({ SVC_FAILPOINTS: 'store-before-commit@3, outbox-after-publish' }), 'none');
  assert.match(
    faultsOf({ SVC_FAILPOINTS: 'store-before-commit@x' }),
    /^SVC_FAILPOINTS must be names such as/,
  );
});

test.run();
