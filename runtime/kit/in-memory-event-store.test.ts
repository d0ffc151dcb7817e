import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Unit } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from './collect.js';
import { eventStoreContract } from './event-store-contract.js';
import { fakeClock } from './fake-clock.js';
import { InMemoryEventStore } from './in-memory-event-store.js';

const contract = suite('in-memory event store');
eventStoreContract(contract, (body) => body(new InMemoryEventStore()));

const test = suite('in-memory event store and its clock');

test('the time of an event is the time of the clock', async () => {
  const clock = fakeClock('2026-01-02T03:04:05.006Z');
  const store = new InMemoryEventStore({ now: clock.now, host: 'desk' });
  await store.append(newUuid(), event());
  const [stored] = await collect(store.readAll({ after: 0 }));
  assert.is(stored?.recordedAt, '2026-01-02T03:04:05.006Z');
  assert.is(stored?.host, 'desk');
});

test('recorded time stands still when the clock is set back', async () => {
  const clock = fakeClock('2026-01-02T03:04:05Z');
  const store = new InMemoryEventStore({ now: clock.now });
  await store.append(newUuid(), event());
  clock.advance(-60_000);
  await store.append(newUuid(), event());
  const times = (await collect(store.readAll({ after: 0 }))).map((stored) => stored.recordedAt);
  assert.equal(times, ['2026-01-02T03:04:05.000Z', '2026-01-02T03:04:05.000Z']);
});

test('an outcome is kept for 24 hours, then its key may be used again', async () => {
  const clock = fakeClock();
  const store = new InMemoryEventStore({ now: clock.now });
  await store.commit(keyed);
  clock.advance(day - 1);
  assert.is(store.outcomeOf(key)?.body, '{}');
  clock.advance(1);
  assert.is(store.outcomeOf(key), undefined);
  await store.commit(keyed);
  assert.is(store.outcomeOf(key)?.status, 200);
});

const day = 24 * 60 * 60_000;
const key = Buffer.from('pay-1');
const keyed: Unit = {
  events: [],
  records: [],
  expected: new Map(),
  outcome: { key, fingerprint: Buffer.from('print'), status: 200, body: '{}' },
};

const event = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'OrderCreated',
  payload: {},
  timestamp: '2020-01-01T00:00:00Z',
  v: 1,
});
