import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { type Access, observerRefusalOf, operatorIn, type PageRequest } from './access.js';
import { Tokens, type TokenSettings } from './tokens.js';

const test = suite('access');

const local: PageRequest = { remoteAddress: '127.0.0.1', headers: { host: 'localhost:3000' } };
const remote: PageRequest = { remoteAddress: '10.0.0.7', headers: { host: 'orders.example:3000' } };
const asks = (visitor: PageRequest, headers: PageRequest['headers'], queryToken?: string): PageRequest => ({
  ...visitor,
  headers: { ...visitor.headers, ...headers },
  queryToken,
});
const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
const access = (given: TokenSettings = {}, localOnly = true): Access => ({
  tokens: new Tokens(given),
  localOnly,
});
const answerTo = (visitor: PageRequest, given: Access = access()): number =>
  observerRefusalOf(visitor, given)?.status ?? 200;
const statusOfActing = (visitor: PageRequest, given: Access): number | string => {
  try {
    return operatorIn(visitor, given);
  } catch (error) {
    return (error as Problem).status;
  }
};

test('without a token a caller on this machine may observe', () => {
  assert.is(answerTo(local), 200);
  assert.is(answerTo({ remoteAddress: '::1', headers: { host: '[::1]:3000' } }), 200);
  assert.is(answerTo({ remoteAddress: '::ffff:127.0.0.1', headers: { host: '127.0.0.1:3000' } }), 200);
  assert.is(answerTo({ ...remote, headers: local.headers }), 403);
});

for (const name of ['inspect', 'operator'] as const) {
  test(`the ${name} token, once set, is always required to observe, also on this machine`, () => {
    const set = access({ [name]: 'let-me' });
    assert.is(answerTo(local, set), 401);
    assert.is(answerTo(asks(local, bearing('wrong!')), set), 401);
    assert.is(answerTo(asks(local, {}, ''), set), 401);
    for (const visitor of [local, remote]) {
      assert.is(answerTo(asks(visitor, bearing('let-me')), set), 200);
      assert.is(
        answerTo(asks(visitor, {}, 'let-me'), set),
        200,
        'a browser cannot send a header with a WebSocket',
      );
    }
    assert.is(answerTo(local, { ...set, localOnly: false }), 401, 'a proxy in front changes nothing');
  });
}

test('a generated token allows observing from elsewhere, and restricts nothing', () => {
  const generated = access({ generated: 'made-up' });
  assert.is(answerTo(local, generated), 200);
  assert.is(answerTo(asks(remote, bearing('made-up')), generated), 200);
});

test('operator actions always need a token, in a header', () => {
  for (const set of [
    access({ operator: 'act' }),
    access({ generated: 'act' }),
    access({ operator: 'act' }, false),
  ]) {
    assert.is(statusOfActing(local, set), 401);
    assert.is(statusOfActing(asks(local, {}, 'act'), set), 401);
    assert.is(statusOfActing(asks(local, bearing('wrong')), set), 401);
    assert.is(statusOfActing(asks(remote, bearing('act')), set), 'operator-token');
  }
  assert.is(statusOfActing(asks(local, bearing('look')), access({ inspect: 'look', operator: 'act' })), 401);
});

test('without an operator token nobody may operate', () => {
  assert.is(statusOfActing(local, access()), 403);
  assert.is(statusOfActing(asks(local, bearing('look')), access({ inspect: 'look' })), 403);
});

for (const name of ['x-forwarded-for', 'x-forwarded-prefix', 'forwarded', 'x-real-ip', 'via']) {
  test(`a request that a proxy on this machine forwards with ${name} is not from this machine`, () => {
    assert.is(answerTo(asks(local, { [name]: '10.0.0.7' })), 403);
    assert.is(
      answerTo(asks(local, { [name]: '10.0.0.7' }), access({}, false)),
      200,
      'the proxy controls access',
    );
  });
}

test('a page of the same origin may observe, one of this machine with a token, one of another site never', () => {
  const set = access({ inspect: 'look' });
  assert.is(answerTo(asks(local, { origin: 'http://localhost:3000' })), 200);
  assert.is(answerTo(asks(local, { origin: 'http://localhost:5173' })), 403);
  assert.is(answerTo(asks(local, { origin: 'http://localhost:5173' }), access({}, false)), 403);
  assert.is(answerTo(asks(local, { origin: 'http://127.0.0.1:5173' }, 'look'), set), 200);
  assert.is(answerTo(asks(remote, { origin: 'https://orders.example:3000', ...bearing('look') }), set), 200);
  assert.is(answerTo(asks(local, { origin: 'https://evil.example' })), 403);
  assert.is(answerTo(asks(local, { origin: 'https://localhost.evil.example' })), 403);
  assert.is(answerTo(asks(remote, { origin: 'https://evil.example', ...bearing('look') }), set), 403);
  assert.is(answerTo(asks(local, { origin: 'null' })), 403, 'a sandboxed frame');
});

test('a name that was rebound to this machine gives no access', () => {
  const rebound = { host: 'evil.example:3000', origin: 'http://evil.example:3000' };
  assert.is(answerTo({ ...local, headers: rebound }), 421);
});
