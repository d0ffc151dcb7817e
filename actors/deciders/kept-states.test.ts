import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { KeptStates } from '../../runtime/deciders/kept-states.js';
import { Account, type AccountState } from '../../runtime/testing/account-decider.js';
import { collect } from '../../runtime/kit/collect.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { InMemoryKeptStates } from '../../runtime/testing/in-memory-kept-states.js';
import { accountHost, appendBooked, CountedStore } from '../testing/account-hosts.js';

const test = suite('kept states of deciders');

test('every 200 events the state is kept, and a cold host reads only what is later', async () => {
  const kept = new InMemoryKeptStates();
  const store = new CountedStore();
  const account = newUuid();
  await appendBooked(store, account, ...Array.from({ length: 198 }, () => 1));
  const warm = accountHost(store, { kept });
  await warm.book(account, 1);
  assert.is(kept.size, 0);
  await warm.book(account, 1);
  assert.is(kept.size, 1);
  await warm.book(account, 1);
  const { eventsRead } = store;
  const cold = accountHost(store, { kept });
  assert.is(await cold.book(account, 1), 202);
  assert.is(store.eventsRead - eventsRead, 2);
  assert.equal(cold.states.counts, { cache: 0, snapshot: 1, stream: 0 });
});

test('a kept state of another version, of another event, or that is no JSON is not used', async () => {
  const store = new InMemoryEventStore();
  const account = newUuid();
  await appendBooked(store, account, 1, 2);
  const state = '{"balance":1000,"open":true}';
  const [, last] = await collect(store.read(account));
  const eventId = last?.messageId ?? '';
  const wrong = [
    { position: 2, eventId: newUuid(), state },
    { position: 9, eventId, state },
    { position: 2, eventId, state: '{"balance":' },
  ];
  for (const one of wrong) {
    const kept: KeptStates = { find: async () => one, keep: async () => undefined };
    assert.is(await accountHost(store, { kept }).book(account, 0), 3);
  }
  const kept = new InMemoryKeptStates();
  await kept.keep({ decider: 'account', version: 1, streamId: account }, { position: 2, eventId, state });
  class Second extends Account {
    override readonly version = 2;
  }
  assert.is(await accountHost(store, { kept }, new Second()).book(account, 0), 3);
  await appendBooked(store, account);
  assert.is(await accountHost(store, { kept }).book(account, 0), 1000);
});

test('a state over 64 KiB is not kept', async () => {
  class Long extends Account {
    override initial(): AccountState {
      return { ...super.initial(), text: 'x'.repeat(65_536) } as AccountState;
    }
  }
  const kept = new InMemoryKeptStates();
  const store = new InMemoryEventStore();
  const account = newUuid();
  await appendBooked(store, account, ...Array.from({ length: 300 }, () => 1));
  const { book } = accountHost(store, { kept }, new Long());
  assert.is(await book(account, 1), 301);
  assert.is(kept.size, 0);
});

test('a store that went back is noticed: the cached state of a lost event is not used', async () => {
  let store = new InMemoryEventStore();
  const front = new CountedStore(store);
  front.commit = (unit, signal) => store.commit(unit, signal);
  front.read = (streamId, range) => store.read(streamId, range);
  front.lastPosition = (streamId) => store.lastPosition(streamId);
  let changes = 0;
  const { book } = accountHost(front, { changes: () => changes });
  const account = newUuid();
  await book(account, 100);
  store = new InMemoryEventStore();
  await appendBooked(store, account, 1);
  changes++;
  assert.is(await book(account, 1), 2);
  store = new InMemoryEventStore();
  assert.is(await book(account, 5), 5);
});
