import { idempotencyGateContract } from './idempotency-gate-contract.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { InMemoryIdempotencyGate } from './in-memory-idempotency-gate.js';

idempotencyGateContract('in-memory idempotency gate', async (body) => {
  const store = new InMemoryEventStore();
  const gate = new InMemoryIdempotencyGate(store);
  await body({ here: gate, there: gate, store });
});
