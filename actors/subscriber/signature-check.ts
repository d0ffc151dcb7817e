import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { KnownStore } from '../../runtime/inbox/inbox.js';
import type { MessageProof } from '../../runtime/trust/signed-message.js';

type Key = Pick<KnownStore, 'publicKey' | 'signs'>;

/**
 * Compares the signatures of one batch with the keys of the stores. The first key with which a store signs is its key; once
 * it has signed a message, the others must be signed, too.
 */
export class SignatureCheck {
  readonly #keys: Map<Uuid, Key>;
  /** The keys of stores that signed a message for the first time. */
  readonly found = new Map<Uuid, string>();

  constructor(known: ReadonlyMap<Uuid, Key>) {
    this.#keys = new Map(known);
  }

  /** Why the message is not trusted. */
  problemOf(store: Uuid, proof: MessageProof): Problem | undefined {
    const { publicKey, signs = false } = this.#keys.get(store) ?? {};
    if (proof === undefined) return signs ? new Problem('unsigned-message') : undefined;
    if (proof === 'invalid' || (publicKey !== undefined && publicKey !== proof.publicKey))
      return new Problem('forged-message');
    if (signs) return undefined;
    this.#keys.set(store, { publicKey: proof.publicKey, signs: true });
    this.found.set(store, proof.publicKey);
    return undefined;
  }
}
