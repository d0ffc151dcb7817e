import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { isLoopbackHost, nonLocalRefusalOf } from './local-requests.js';

const test = suite('local requests');

test('localhost, its subdomains and loopback addresses are names of this machine, with any port', () => {
  for (const host of [
    ...['localhost', 'localhost:3000', 'LOCALHOST:3000', 'orders.localhost:8080', 'a.b.localhost'],
    ...['127.0.0.1', '127.0.0.1:65535', '127.8.8.8:80', '[::1]', '[::1]:3000', '[::ffff:127.0.0.1]:3000'],
  ])
    assert.ok(isLoopbackHost(host), host);
});

test('names that only look similar are not', () => {
  for (const host of [
    ...['', 'evil.test', 'evil.test:3000', 'localhost.evil.test', 'evil-localhost', '.localhost'],
    ...[
      '127.0.0.1.evil.test',
      '10.0.0.7',
      '[::2]',
      '::1',
      'localhost:3000@evil.test',
      'localhost:',
      'localhost/x',
    ],
    ...['0.0.0.0', 'user@localhost', 'local\u212Ahost'],
  ])
    assert.not.ok(isLoopbackHost(host), host);
});

test('a request without a Host header is local: only a browser can be rebound, and it always sends one', () => {
  assert.is(nonLocalRefusalOf({}), undefined);
});

test('a refusal says what to do', () => {
  assert.match(
    nonLocalRefusalOf({ host: 'evil.test' })?.detail ?? '',
    /localhost and loopback .* SVC_AUTH=none/,
  );
  assert.match(
    nonLocalRefusalOf({ host: 'localhost', via: '1.1 x' })?.detail ?? '',
    /a proxy .* SVC_AUTH=none/,
  );
});

test('a long host name costs no more than its length', () => {
  const ms = (host: string): number => {
    const from = process.cpuUsage();
    for (let n = 0; n < 100; n++) isLoopbackHost(host);
    return process.cpuUsage(from).user / 1_000;
  };
  for (const part of ['a.', 'localhost.', '127.', '-'])
    assert.ok(ms(part.repeat(16_000 / part.length)) < 1_000, part);
});
