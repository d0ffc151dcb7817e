import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { send } from '../../endpoints/testing/http-client.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { sharedHosts } from '../testing/live-hosts.js';
import { reactingShop } from '../testing/reacting-shop.js';

const test = suite('requests to the panel of processes');

const shared = sharedHosts({
  definition: reactingShop().definition,
  env: { SVC_INSPECT: '1', SVC_OPERATOR_TOKEN: 'an-operator-of-the-processes-of-a-shop' },
});
test.before(() => shared.start());
test.after(() => shared.stop());

const headers = { authorization: 'Bearer an-operator-of-the-processes-of-a-shop' };
const api = () => `${shared.hosts[0]?.url ?? ''}/console/api`;
const get = async (path: string) => {
  const answer = await fetch(`${api()}/${path}`, { headers });
  return { status: answer.status, says: (await answer.json()) as Answer };
};

interface Answer {
  readonly detail?: string;
  readonly instances?: readonly { readonly key: string }[];
  readonly processes?: readonly {
    readonly name: string;
    readonly states: readonly object[];
    readonly steps: readonly object[];
  }[];
}

const refusals: readonly (readonly [string, string])[] = [
  ['processes?status=asleep', 'status must be one of running, ended, retrying, parked.'],
  ['processes?status=__proto__', 'status must be one of running, ended, retrying, parked.'],
  ['processes?status=running&status=ended', 'status must be one text'],
  ['processes?limit=201', 'limit must be a whole number from 0 to 200.'],
  ['processes?limit=-1', 'limit must be a whole number from 0 to 200.'],
  ['processes?limit=1e1', 'limit must be a whole number from 0 to 200.'],
  [`processes?key=${'k'.repeat(201)}`, 'key must be one text of at most 200 characters'],
  ['processes?key=%00', 'key must be one text'],
  ['processes?__proto__=1', 'is not a parameter'],
  ['timers?due-before=tomorrow', 'due-before must be a time'],
  ['reactions?limit=many', 'limit must be a whole number from 0 to 200.'],
  ['stuck?limit=201', 'limit must be a whole number from 0 to 200.'],
  ['stuck?error=x', 'is not a parameter'],
];

test('a parameter that is unknown, too long or out of range is refused with what it must be', async () => {
  for (const [path, detail] of refusals) {
    const { status, says } = await get(path);
    assert.is(status, 400, path);
    assert.match(says.detail ?? '', detail);
  }
});

test('a name or key that nothing has is not found, whatever its characters', async () => {
  const names = ['__proto__', 'constructor', 'no-such-process', '%25', "'%3B--", '%F0%9F%8D%9E'];
  const keys = ['__proto__', '%00', 'a%2Fb/c', 'k'.repeat(4_000), '%25%5F', '%ED%A0%80'];
  for (const name of names) assert.is((await get(`processes/${name}/key`)).status, 404, name);
  for (const key of keys) {
    const { status } = await get(`processes/order-fulfilment/${key}`);
    assert.ok([400, 404].includes(status), `${status} for ${key}`);
  }
});

test('an action on what is not there, or with a body of the wrong kind, changes nothing and says why', async () => {
  const act = async (path: string, body: string) => {
    const { status } = await send(shared.hosts[0]?.url ?? '', {
      path: `/console/api/${path}`,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    return status;
  };
  for (const body of ['{}', '{"key":7}', '{"key":"\\u0000"}', `{"key":"${'k'.repeat(1_025)}"}`, '[]', 'null'])
    assert.is(await act('processes/order-fulfilment/retry', body), 400, body.slice(0, 40));
  for (const body of ['{}', '{"key":"k","position":1}', '{"key":"k","position":"1","reason":"r"}'])
    assert.is(await act('reactions/order-fulfilment/skip', body), 400, body);
  for (const [path, body] of [
    ['stuck/plan', '{}'],
    ['stuck/plan', '{"action":"forget","follower":"timers","fingerprint":"0123456789ab"}'],
    ['stuck/plan', '{"action":"skip","follower":"timers"}'],
    ['stuck/retry', '{"id":"outbox/dead-letter@1"}'],
    ['stuck/skip', '{"reason":"r"}'],
    ['stuck/skip', '{"id":7,"reason":"r"}'],
  ] as const)
    assert.is(await act(path, body), 400, body);
  for (const [path, body] of [
    ['stuck/retry', '{"id":"outbox/dead-letter@1","reason":"r"}'],
    ['stuck/skip', '{"id":"__proto__","reason":"r"}'],
    ['stuck/skip', '{"plan":"0123456789abcdef","reason":"r"}'],
    ['reactions/order-fulfilment/skip', '{"key":"k","position":1,"reason":"r"}'],
    ['processes/__proto__/retry', '{"key":"__proto__"}'],
    ['reactions/order-fulfilment/release', '{"key":"no such key"}'],
    ['reactions/__proto__/release', '{}'],
    ['timers/__proto__/cancel', '{}'],
    ['timers/018f3a52-7c1e-7cc0-9d3a-2b1f4c5d6e7f/run-now', '{}'],
  ] as const)
    assert.is(await act(path, body), 404, path);
  const acted = `SELECT count(*) FROM svc_system_events WHERE event_type = 'OperatorActed'`;
  assert.equal(await rowsOf(shared.databaseUrl, acted), [['0']]);
});
