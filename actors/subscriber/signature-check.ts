import { Problem } from '../../contracts/problems.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { KnownStore } from '../../runtime/inbox/inbox.js';
import { type KeyRotation, rotationsTo } from '../../runtime/trust/key-rotation.js';
import type { KeyProof, MessageProof } from '../../runtime/trust/signed-message.js';

type Key = Pick<KnownStore, 'publicKey' | 'signs' | 'earlierKeys'>;

/**
 * Compares the signatures of one batch with the keys of the stores. The first key with which a store signs is its key, until
 * that key signs another one; once it has signed a message, the others must be signed, too.
 */
export class SignatureCheck {
  readonly #keys: Map<Uuid, Key>;
  readonly #found = new Set<Uuid>();
  /** How stores have replaced their keys since. */
  readonly followed = new Map<Uuid, readonly KeyRotation[]>();

  constructor(known: ReadonlyMap<Uuid, Key>) {
    this.#keys = new Map(known);
  }

  /** The keys of stores that signed a message for the first time. */
  get found(): ReadonlyMap<Uuid, string> {
    return new Map([...this.#found].map((store) => [store, this.keyOf(store) ?? '']));
  }

  keyOf(store: Uuid): string | undefined {
    return this.#keys.get(store)?.publicKey;
  }

  /** Why the message at this position is not trusted. */
  problemOf(
    store: Uuid,
    proof: MessageProof,
    position: Long = Number.POSITIVE_INFINITY,
  ): Problem | undefined {
    const signs = this.#keys.get(store)?.signs === true;
    if (proof === undefined) return signs ? new Problem('unsigned-message') : undefined;
    if (proof === 'invalid' || !this.counts(store, proof, position)) return new Problem('forged-message');
    if (signs) return undefined;
    this.#keys.set(store, { ...this.#keys.get(store), signs: true });
    this.#found.add(store);
    return undefined;
  }

  /** Whether this is the key of the store, the next one, or an earlier one that signs this position. */
  counts(store: Uuid, { publicKey, rotations }: KeyProof, position: Long): boolean {
    const { publicKey: known, signs = false, earlierKeys } = this.#keys.get(store) ?? {};
    if (publicKey === known) return true;
    const upTo = earlierKeys?.get(publicKey);
    if (upTo !== undefined) return position <= upTo;
    const since = rotationsTo(publicKey, rotations, { store, from: known });
    if (since.length === 0 && known !== undefined) return false;
    const more = since.map(({ previousKey, upTo: last }) => [previousKey, last] as const);
    this.#keys.set(store, { publicKey, signs, earlierKeys: new Map([...(earlierKeys ?? []), ...more]) });
    if (since.length > 0) this.followed.set(store, [...(this.followed.get(store) ?? []), ...since]);
    return true;
  }
}
