import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';
import { eventStore } from './register-event-store.js';
import { addService } from './service.js';

const test = suite('registered event store');

test('an open store becomes the event store and the unit store', () => {
  const store = new InMemoryEventStore();
  const { parts } = addService().with(eventStore(store));
  assert.is(parts.eventStore, store);
  assert.is(parts.unitStore, store);
});
