import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { reasonOf } from './nats-failure-reason.js';

const test = suite('nats reason');

const failure = (code: string, message: string, chainedError?: unknown) =>
  Object.assign(new RangeError(message), { code, chainedError });

test('errors of NATS and the network become one line with a remedy', () => {
  const cases: readonly [unknown, RegExp][] = [
    [
      failure('AUTHORIZATION_VIOLATION', "'Authorization Violation'"),
      /rejected the credentials.*Authorization Violation/,
    ],
    [failure('ENOTFOUND', 'getaddrinfo ENOTFOUND far.invalid'), /cannot be resolved.*far\.invalid/],
    [
      failure('CONNECTION_REFUSED', 'x', failure('ECONNREFUSED', 'connect ECONNREFUSED 1.2.3.4:4222')),
      /nothing listens.*1\.2\.3\.4/,
    ],
    [failure('SERVER_OPT_NA', 'tls'), /TLS is enabled on one side only/],
    [failure('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed'), /certificate is not trusted/],
    [failure('TIMEOUT', 'TIMEOUT'), /does not respond in time/],
    [
      new RangeError('NATS has no JetStream: start it with -js'),
      /^NATS has no JetStream: start it with -js$/,
    ],
    [undefined, /^no reason given$/],
  ];
  for (const [error, text] of cases) assert.match(reasonOf(error), text);
});

test('it is short, on one line, and never contains a credential', () => {
  const reason = reasonOf(new RangeError(`nats://ada:secret@far:4222\nis ${'x'.repeat(10_000)}`));
  assert.match(reason, /^nats:\/\/far:4222 is x+$/);
  assert.is(reason.length, 200);
});
