import type { StoredOutcome } from './unit-store.js';

/** What is known about an idempotency key before its request runs. */
export type Claim =
  | { readonly is: 'replay'; readonly outcome: StoredOutcome }
  /** The key was used for another request. */
  | { readonly is: 'reused' }
  | { readonly is: 'in-flight' }
  /** Reserved for this request, on all hosts, until released. */
  | { readonly is: 'free'; release(): Promise<void> };

/** Lets one request per key run at a time. The commit decides; the gate only saves duplicates the work. */
export interface IdempotencyGate {
  claim(key: Uint8Array, fingerprint: Uint8Array): Promise<Claim>;
}
