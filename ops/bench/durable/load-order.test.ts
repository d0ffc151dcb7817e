import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { responseEnd } from '../http/response-end.js';
import { textOf } from './load-order.js';

const test = suite('bench load order');

const request = { path: '/remind/{key}?delay={delay}ms', body: '{"id":"{key}","due":{due},"now":{now}}' };
const order = { port: 1, request, connections: 1, count: 10, seconds: 1, due: { from: 5_000, ms: 1_000 } };

test('a request has its key, its time, and when its timer is due', () => {
  const text = textOf(order, 3, 'k', 4_000);
  assert.match(text, /^POST \/remind\/k\?delay=1300ms HTTP\/1\.1\r\n/);
  assert.match(text, /\r\nIdempotency-Key: k\r\n/);
  assert.ok(text.endsWith('\r\n\r\n{"id":"k","due":5300,"now":4000}'));
});

test('the length of a request is that of its filled body', () => {
  const text = textOf(order, 0, 'a-longer-key', 4_000);
  const answer = text.replace(/^POST .*\r\n/, 'HTTP/1.1 200 OK\r\n');
  assert.equal(responseEnd(answer), { status: 200, at: answer.length });
});

test('a timer that is late already is due at once', () => {
  assert.match(textOf(order, 0, 'k', 9_000), /delay=0ms/);
});
