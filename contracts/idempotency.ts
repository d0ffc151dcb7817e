import type { StoredOutcome } from './unit.js';

/** What is known about a key before its request runs. */
export type Claim =
  | { readonly is: 'replay'; readonly outcome: StoredOutcome }
  /** The key was used for another request. */
  | { readonly is: 'reused' }
  | { readonly is: 'in-flight' }
  /** Ours until released, on this host and on every other. */
  | { readonly is: 'free'; release(): Promise<void> };

/** Lets one request per key through at a time. The key at commit decides; this spares the others the work. */
export interface IdempotencyGate {
  claim(key: Uint8Array, fingerprint: Uint8Array): Promise<Claim>;
}
