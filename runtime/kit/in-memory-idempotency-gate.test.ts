import { suite } from '../../contracts/testing/suite.js';
import { idempotencyGateContract } from './idempotency-gate-contract.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { InMemoryIdempotencyGate } from './in-memory-idempotency-gate.js';

const test = suite('in-memory idempotency gate');

idempotencyGateContract(test, async (body) => {
  const store = new InMemoryEventStore();
  const gate = new InMemoryIdempotencyGate(store);
  await body({ here: gate, there: gate, store });
});
