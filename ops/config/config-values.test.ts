import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { readConfig } from './config.js';
import { faultsOf } from '../testing/config-faults.js';

const test = suite('values of the configuration');

test('a master key of another length is refused, and never repeated', () => {
  const short = Buffer.alloc(31, 7).toString('base64');
  const refused = (): unknown => readConfig({ SVC_MASTER_KEY: short });
  assert.throws(
    refused,
    (error: Error) =>
      /SVC_MASTER_KEY must be 32 random/.test(error.message) && !error.message.includes(short),
  );
});

for (const port of ['-1', '65536', '3000.5', '0x50', '80 ', 'http', '1e3', 'Infinity']) {
  test(`'${port}' is not a port`, () => {
    assert.is(faultsOf({ SVC_PORT: port }), `SVC_PORT must be a whole number from 0 to 65535, not '${port}'`);
  });
}

for (const [name, value] of Object.entries({
  SVC_AUDIT: 'some',
  SVC_AUDIT_MODE: 'optin',
  SVC_BROADCAST: 'yes',
  SVC_DURABILITY: 'full',
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

test('a signing key is read, and a wrong one is not repeated', () => {
  const seed = Buffer.alloc(32, 7).toString('base64');
  assert.is(readConfig({ SVC_SIGNING_KEY: seed }).signingKey?.publicKey.length, 32);
  const fault = faultsOf({ SVC_SIGNING_KEY: `${seed}${seed}` });
  assert.match(fault, /^SVC_SIGNING_KEY must be an Ed25519 key/);
  assert.not.match(fault, seed);
});

test('an unknown log level is refused, and the known ones are listed', () => {
  assert.match(faultsOf({ SVC_LOG: 'loud' }), /^SVC_LOG must be one of trace, debug, .*not 'loud'$/);
});

for (const url of [
  'localhost:5432',
  'mysql://db/orders',
  'postgres//db/orders',
  'postgres://db:port/x',
  'postgres://a:1,/x',
  'postgres://a,b/x?target_session_attrs=standby',
]) {
  test(`'${url}' is not a database URL, and the value is not repeated`, () => {
    const fault = faultsOf({ DATABASE_URL: url });
    assert.match(
      fault,
      /^DATABASE_URL must be a URL such as .* target_session_attrs may be read-write or primary/,
    );
    assert.not.match(fault, url);
  });
}

test('a malformed failpoint is refused', () => {
  assert.is(faultsOf({ SVC_FAILPOINTS: 'store-before-commit@3, outbox-after-publish' }), 'none');
  assert.match(
    faultsOf({ SVC_FAILPOINTS: 'store-before-commit@x' }),
    /^SVC_FAILPOINTS must be names such as/,
  );
});

test('tokens of operators have at least 32 bytes, and are not repeated in the fault', () => {
  for (const name of ['SVC_INSPECT_TOKEN', 'SVC_OPERATOR_TOKEN']) {
    assert.throws(() => readConfig({ [name]: 'guess-me' }), `${name} must have at least 32 bytes`);
    assert.throws(
      () => readConfig({ [name]: 'guess-me' }),
      (error: Error) => !error.message.includes('guess-me'),
    );
    assert.ok(readConfig({ [name]: 'x'.repeat(32) }));
  }
});
