import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { readConfig } from './config.js';
import { faultsOf } from '../testing/config-faults.js';

const test = suite('config of NATS');

test('NATS takes one kind of credentials, and pairs are complete', () => {
  const files = { NATS_CREDS: '/run/orders.creds', NATS_TLS_CA: '/run/ca.pem' };
  assert.equal(readConfig(files).natsCredentials, { credsFile: '/run/orders.creds', tlsCa: '/run/ca.pem' });
  assert.match(faultsOf({ NATS_USER: 'a' }), /^NATS_USER and NATS_PASSWORD must be set together$/);
  assert.match(faultsOf({ NATS_TLS_KEY: 'a' }), /^NATS_TLS_CERT and NATS_TLS_KEY must be set together$/);
  const both = { NATS_CREDS: 'a', NATS_TOKEN: 'a-secret' };
  assert.is(faultsOf(both), 'NATS_CREDS and NATS_TOKEN are set; NATS takes one of them');
});
