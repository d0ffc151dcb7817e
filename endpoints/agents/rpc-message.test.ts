import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { agreedVersion, messageIn, type RpcHeaders, sessionOf } from './rpc-message.js';

const test = suite('messages of the Model Context Protocol');

const none: RpcHeaders = { version: undefined, method: undefined, name: undefined, session: undefined };
const request = (params: object = {}, method = 'tools/call') => ({ jsonrpc: '2.0', id: 7, method, params });
const envelope = (more: object = {}) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'desk', version: '1' },
    ...more,
  },
});
const matching: RpcHeaders = { ...none, version: '2026-07-28', method: 'tools/call', name: 'bake_bread' };
const present = { name: 'bake_bread', ...envelope() };

const errorOf = (body: unknown, headers: RpcHeaders = none) => {
  const message = messageIn(body, headers);
  return message.is === 'refused' ? [message.error.status, message.error.code] : message.is;
};

test('an envelope makes a request one of the present revision, with the name of its client', () => {
  const message = messageIn(request(present), matching);
  assert.is(message.is, 'request');
  if (message.is !== 'request') return;
  assert.equal([message.isPresent, message.client, message.id], [true, 'desk', 7]);
});

test('without an envelope it is of the earlier era, and its session names the client', () => {
  const session = sessionOf({ name: 'Größe', version: '1' });
  const message = messageIn(request(), { ...none, version: '2025-11-25', session });
  assert.ok(message.is === 'request');
  assert.equal([message.isPresent, message.client], [false, 'Größe']);
});

test('headers that say something else than the body are refused', () => {
  for (const wrong of [
    { version: undefined },
    { method: 'tools/list' },
    { name: 'other' },
    { name: undefined },
  ])
    assert.equal(errorOf(request(present), { ...matching, ...wrong }), [400, -32020]);
  const encoded = `=?base64?${Buffer.from('bake_bread').toString('base64')}?=`;
  assert.is(errorOf(request(present), { ...matching, name: encoded }), 'request');
});

test('an envelope that lacks something is refused, and so is a header without an envelope', () => {
  const lacking = {
    name: 'bake_bread',
    ...envelope({ 'io.modelcontextprotocol/clientCapabilities': undefined }),
  };
  assert.equal(errorOf(request(lacking), matching), [400, -32602]);
  assert.equal(errorOf(request({ name: 'bake_bread' }), matching), [400, -32602]);
  assert.equal(errorOf(request({}, 'initialize'), { ...none, version: '2026-07-28' }), [400, -32020]);
});

test('a revision that nobody knows is refused, with those that are', () => {
  const later = request({ ...envelope({ 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }) });
  const message = messageIn(later, none);
  assert.ok(message.is === 'refused');
  assert.is(message.error.code, -32022);
  assert.equal(message.error.data, {
    supported: ['2026-07-28', '2025-11-25', '2025-06-18'],
    requested: '2099-01-01',
  });
  assert.equal(errorOf(request(), { ...none, version: '2024-11-05' }), [400, -32022]);
  assert.equal(['2025-06-18', '2024-11-05', 7].map(agreedVersion), [
    '2025-06-18',
    '2025-11-25',
    '2025-11-25',
  ]);
});

test('a notification needs no answer, and what is no request is refused', () => {
  assert.is(errorOf({ jsonrpc: '2.0', method: 'notifications/initialized' }), 'notification');
  const bodies = [null, 1, [], [request()], {}, { jsonrpc: '1.0', id: 1, method: 'ping' }];
  const responses = [{ jsonrpc: '2.0', id: 1, result: {} }];
  const ids = [null, 1.5, {}, true].map((id) => ({ ...request(), id }));
  for (const body of [...bodies, ...responses, ...ids, { ...request(), params: [] }])
    assert.equal(errorOf(body), [400, -32600], JSON.stringify(body));
});
