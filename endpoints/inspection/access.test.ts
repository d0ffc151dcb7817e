import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusalOf, type Visitor } from './access.js';

const test = suite('inspection access');

const local: Visitor = { remoteAddress: '127.0.0.1', headers: { host: 'localhost:3000' }, token: null };
const remote: Visitor = { remoteAddress: '10.0.0.7', headers: { host: 'orders.example:3000' }, token: null };
const asks = (visitor: Visitor, headers: Visitor['headers'], token: string | null = null): Visitor => ({
  ...visitor,
  headers: { ...visitor.headers, ...headers },
  token,
});
const may = (visitor: Visitor, expected?: string): boolean => refusalOf(visitor, expected) === undefined;

test('somebody on this machine may look', () => {
  assert.ok(may(local));
  assert.ok(may({ ...local, remoteAddress: '::1', headers: { host: '[::1]:3000' } }));
  assert.ok(may({ ...local, remoteAddress: '::ffff:127.0.0.1', headers: { host: '127.0.0.1:3000' } }));
});

test('somebody elsewhere may with the token, and only with that', () => {
  assert.not.ok(may(remote));
  assert.not.ok(may(remote, 'secret'));
  assert.not.ok(may(asks(remote, {}, 'wrong!'), 'secret'));
  assert.not.ok(may(asks(remote, {}, ''), ''.padEnd(6)));
  assert.ok(may(asks(remote, {}, 'secret'), 'secret'));
});

test('what a proxy on this machine passes on is not from this machine', () => {
  assert.not.ok(may(asks(local, { 'x-forwarded-for': '10.0.0.7' })));
  assert.not.ok(may(asks(local, { forwarded: 'for=10.0.0.7' })));
});

test('a page of the same origin or of this machine may look, one of another site may not', () => {
  assert.ok(may(asks(local, { origin: 'http://localhost:3000' })));
  assert.ok(may(asks(local, { origin: 'http://127.0.0.1:5173' })));
  assert.ok(may(asks(remote, { origin: 'https://orders.example:3000' }, 'secret'), 'secret'));
  assert.not.ok(may(asks(local, { origin: 'https://evil.example' })));
  assert.not.ok(may(asks(local, { origin: 'https://localhost.evil.example' })));
  assert.not.ok(may(asks(remote, { origin: 'https://evil.example' }, 'secret'), 'secret'));
  assert.not.ok(may(asks(local, { origin: 'null' })), 'a sandboxed frame');
});

test('a name that was rebound to this machine does not open it', () => {
  const rebound = { host: 'evil.example:3000', origin: 'http://evil.example:3000' };
  assert.not.ok(may({ ...local, headers: rebound }));
});

test.run();
