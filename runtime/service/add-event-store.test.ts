import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { newUuid } from '../../contracts/uuid.js';
import { addService } from './service.js';
import { collect } from '../testing/collect.js';
import { InMemoryEventStore } from '../testing/in-memory-event-store.js';
import { addUpcasters, eventStore, postgresEventStore } from './add-event-store.js';

const test = suite('event store addition');

test('an open store becomes the event store and the unit store', () => {
  const store = new InMemoryEventStore();
  const { parts } = addService().with(eventStore(store));
  assert.is(parts.eventStore, store);
  assert.is(parts.unitStore, store);
});

test('upcasters apply to every read of the registered store', async () => {
  const store = new InMemoryEventStore();
  addService()
    .with(eventStore(store))
    .with(addUpcasters([{ type: 'ShopOpened', from: 1, up: () => ({ new: true }) }]));
  const stream = newUuid();
  await store.append(stream, {
    messageId: newUuid(),
    messageType: 'ShopOpened',
    payload: {},
    timestamp: '2026-03-01T09:30:00Z',
    v: 1,
  });
  assert.equal(
    (await collect(store.read(stream))).map(({ payload }) => payload),
    [{ new: true }],
  );
});

test('the error for upcasters without a store names the call to make first', () => {
  assert.throws(
    () => addService().with(addUpcasters([])),
    (error: unknown) =>
      error instanceof Problem && /^addUpcasters .*call with\(postgresEventStore\(/.test(error.message),
  );
});

test('an unreachable database is tried again at the next use, and stopping reports no error', async () => {
  const service = addService().with(postgresEventStore({ url: 'postgres://nobody@127.0.0.1:1/none' }));
  for (let round = 0; round < 2; round++) {
    const refusal = await service.eventStore.lastPosition(newUuid()).catch((error: unknown) => error);
    assert.is((refusal as Problem).code, 'store-unavailable');
  }
  await service.stop();
});

test.run();
