export { withDatabase } from './database.js';
export type { WithSubject, RunnerTest } from './contract-rules.js';
export { eventStoreContract } from './event-store-contract.js';
export { fakeClock, type FakeClock } from './fake-clock.js';
export {
  given,
  type Caller,
  type Given,
  type GivenFlags,
  type Outcome,
  type PastStream,
  type StreamOfEvents,
  type When,
} from './given-when-then.js';
export type { GivenReaction, WhenReaction } from './given-reaction.js';
export { passTime } from './pass-time.js';
export { at, by, type PastEvent, received } from './past-event.js';
export { idempotencyGateContract, type SharedGates } from './idempotency-gate-contract.js';
export { InMemoryEventStore, type InMemoryStoreOptions } from './in-memory-event-store.js';
export { InMemoryIdempotencyGate } from './in-memory-idempotency-gate.js';
export { occurrences } from './occurrences.js';
export { startTestPostgres, type TestPostgres } from './postgres-server.js';
export { transportContract } from './transport-contract.js';
