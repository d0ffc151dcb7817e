import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { addService } from './service.js';
import { collect } from '../kit/collect.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';
import { addUpcasters } from './add-upcasters.js';
import { eventStore } from './register-event-store.js';

const test = suite('upcasters of a service');

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
