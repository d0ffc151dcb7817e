import type { Claim, IdempotencyGate } from '../../contracts/idempotency-gate.js';
import type { InMemoryEventStore } from './in-memory-event-store.js';

/** Lets one request per key run at a time, and replays responses that the store kept. */
export class InMemoryIdempotencyGate implements IdempotencyGate {
  readonly #inFlight = new Set<string>();

  constructor(private readonly store: InMemoryEventStore) {}

  async claim(key: Uint8Array, fingerprint: Uint8Array): Promise<Claim> {
    const name = Buffer.from(key).toString('hex');
    if (this.#inFlight.has(name)) return { is: 'in-flight' };
    const outcome = this.store.outcomeOf(key);
    if (outcome !== undefined) {
      const { status, body } = outcome;
      const same = Buffer.from(fingerprint).equals(outcome.fingerprint);
      return same ? { is: 'replay', outcome: { status, body } } : { is: 'reused' };
    }
    this.#inFlight.add(name);
    return {
      is: 'free',
      release: async () => {
        this.#inFlight.delete(name);
      },
    };
  }
}
