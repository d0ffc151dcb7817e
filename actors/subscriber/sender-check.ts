import { StoreTrusted } from '../../contracts/events/store-trusted.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { StoreTrust } from '../../contracts/store-trust.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { ClassifiedMessage } from '../../runtime/inbox/classify-message.js';
import { type Inbox, type KnownStore, LeaseLost } from '../../runtime/inbox/inbox.js';
import { log } from '../../runtime/logging/log.js';
import { nowText } from '../../runtime/lang/now-text.js';
import type { KeyRotation } from '../../runtime/trust/key-rotation.js';
import { SignatureCheck } from './signature-check.js';

export interface SenderCheckPorts {
  readonly inbox: Pick<Inbox, 'knownStores' | 'meetStores' | 'pinKey' | 'followKeys'>;
  /** Emits in the background. */
  readonly report: (message: SystemMessage) => void;
  /** What happens to a store that is not known yet; `pin` unless given. */
  readonly trust?: StoreTrust | undefined;
  /** The name of this host. */
  readonly host?: string | undefined;
}

type NoteSenders = (leaseMs: number) => Promise<void>;

type HeadMessage = Extract<ClassifiedMessage, { readonly is: 'head' }>;

interface Checked {
  classification: ClassifiedMessage;
}

/** As many as may wait: anybody could fill the log with invented ones. */
const maxWarned = 100;

/** Takes only messages of trusted stores; those of others are passed over, and stay at the broker. */
export class SenderCheck {
  readonly #warned = new Set<Uuid>();

  constructor(private readonly ports: SenderCheckPorts) {}

  /** The returned function notes who sent something; call it once the messages are stored. */
  async check(messages: readonly Checked[], isReplay: boolean, leaseMs: number): Promise<NoteSenders> {
    const counts = senderCounts(messages);
    if (counts.size === 0) return () => Promise.resolve(undefined);
    const known = await this.ports.inbox.knownStores([...counts.keys()]);
    const signatures = new SignatureCheck(known);
    for (const message of messages) {
      const { classification } = message;
      const store = senderOf(classification);
      if (store === undefined) continue;
      const isTrusted = this.#isTrusted(known.get(store));
      const problem = isTrusted
        ? problemOf(classification, signatures)
        : isReplay && new Problem('store-not-trusted');
      if (problem) message.classification = refused(classification, problem);
      else if (!isTrusted) message.classification = { is: 'untrusted' };
      else if (classification.is === 'head' && isForged(classification, signatures))
        message.classification = { ...classification, head: { ...classification.head, proof: 'invalid' } };
    }
    for (const message of messages)
      if (isSuperseded(message.classification, signatures)) message.classification = { is: 'filtered' };
    const keyless = keylessSenders(messages, known);
    // A head counts only if its key does.
    const { followed } = signatures;
    const isKnown = (store: Uuid): boolean => known.has(store);
    await this.#follow(followed, isKnown, known, leaseMs);
    return async (laterMs) => {
      await this.#note(counts, known, laterMs);
      await this.#noteKeys(signatures.found, keyless, laterMs);
      await this.#follow(followed, (store) => !isKnown(store), known, laterMs);
    };
  }

  async #follow(
    followed: ReadonlyMap<Uuid, readonly KeyRotation[]>,
    isDue: (store: Uuid) => boolean,
    known: ReadonlyMap<Uuid, KnownStore>,
    leaseMs: number,
  ): Promise<void> {
    for (const [storeId, rotations] of followed) {
      if (!isDue(storeId)) continue;
      const answer = await this.ports.inbox.followKeys(storeId, rotations, leaseMs);
      // What is known of it has changed meanwhile, and so has what its messages are worth: they are read again.
      if (!answer && known.has(storeId)) throw new LeaseLost();
      const publicKey = rotations.at(-1)?.publicKey;
      if (!answer || publicKey === undefined || known.get(storeId)?.publicKey === undefined) continue;
      log.info(
        { store: storeId, publicKey },
        'another store has replaced its key, and is trusted by the new one',
      );
      this.#report(storeId, publicKey, 'rotated');
    }
  }

  get #pins(): boolean {
    return this.ports.trust !== 'strict';
  }

  /** Where new stores are pinned, one that is not known is one too many: storing its messages says so. */
  #isTrusted(store: KnownStore | undefined): boolean {
    return store === undefined ? this.#pins : store.isTrusted;
  }

  async #note(
    counts: ReadonlyMap<Uuid, number>,
    known: ReadonlyMap<Uuid, KnownStore>,
    leaseMs: number,
  ): Promise<void> {
    const met = new Map(
      [...counts].filter(([store, sent]) => sent > 0 && known.get(store)?.isRecent !== true),
    );
    if (met.size === 0) return;
    const pinned = await this.ports.inbox.meetStores(met, this.#pins, leaseMs);
    if (!this.#pins) for (const store of met.keys()) if (!known.has(store)) this.#warnOnce(store);
    for (const storeId of pinned) {
      log.info({ store: storeId }, 'an unknown store is trusted from its first message on');
      this.#report(storeId, undefined);
    }
  }

  #warnOnce(store: Uuid): void {
    if (this.#warned.has(store) || this.#warned.size >= maxWarned) return;
    this.#warned.add(store);
    log.warn(
      { store },
      'an unknown store waits, and its messages are skipped; accept them with svc stores trust',
    );
  }

  /** A signed head has pinned the key of its store when it was stored. */
  async #noteKeys(
    found: ReadonlyMap<Uuid, string>,
    keyless: readonly Uuid[],
    leaseMs: number,
  ): Promise<void> {
    for (const [store, key] of found) await this.ports.inbox.pinKey(store, key, leaseMs);
    if (keyless.length === 0) return;
    for (const [storeId, { publicKey }] of await this.ports.inbox.knownStores(keyless)) {
      if (publicKey === undefined) continue;
      log.info(
        { store: storeId, publicKey },
        'the key of a store is pinned: it has signed for the first time',
      );
      this.#report(storeId, publicKey);
    }
  }

  #report(storeId: Uuid, publicKey: string | undefined, how: StoreTrusted['how'] = 'pinned'): void {
    const { host: actor = '', report } = this.ports;
    report(new StoreTrusted({ storeId, publicKey, how, actor, timestamp: nowText() }));
  }
}

function problemOf(classification: ClassifiedMessage, signatures: SignatureCheck): Problem | undefined {
  if (classification.is !== 'event') return undefined;
  const { envelope, proof } = classification;
  return signatures.problemOf(envelope.store, proof, envelope.globalPosition);
}

/** A head that is signed, and not by its store. */
const isForged = (head: HeadMessage, signatures: SignatureCheck): boolean =>
  typeof head.head.proof === 'object' &&
  !signatures.counts(head.store, head.head.proof, head.head.proof.history.publishedTo);

/** A head by a key that its store has replaced: those of the new one cover it. */
const isSuperseded = (classification: ClassifiedMessage, signatures: SignatureCheck): boolean =>
  classification.is === 'head' &&
  typeof classification.head.proof === 'object' &&
  signatures.keyOf(classification.store) !== classification.head.proof.publicKey;

/** The stores that have no key yet, and have signed something now. */
function keylessSenders(messages: readonly Checked[], known: ReadonlyMap<Uuid, KnownStore>): readonly Uuid[] {
  const signed = messages.flatMap(({ classification }) => {
    const proof =
      classification.is === 'head'
        ? classification.head.proof
        : classification.is === 'event'
          ? classification.proof
          : undefined;
    const store = senderOf(classification);
    return typeof proof === 'object' && store !== undefined ? [store] : [];
  });
  return [...new Set(signed)].filter((store) => known.get(store)?.publicKey === undefined);
}

/** A head or a status alone makes no store known. */
function senderCounts(messages: readonly Checked[]): ReadonlyMap<Uuid, number> {
  const counts = new Map<Uuid, number>();
  for (const { classification } of messages) {
    const store = senderOf(classification);
    if (store === undefined) continue;
    const isStored = classification.is === 'event' || classification.is === 'record';
    counts.set(store, (counts.get(store) ?? 0) + (isStored ? 1 : 0));
  }
  return counts;
}

function senderOf(classification: ClassifiedMessage): Uuid | undefined {
  switch (classification.is) {
    case 'event':
    case 'record':
      return classification.envelope.store;
    case 'head':
      return classification.store;
    case 'status':
      return classification.status.store;
    default:
      return undefined;
  }
}

const refused = (classification: ClassifiedMessage, problem: Problem): ClassifiedMessage => ({
  is: 'dead',
  problem,
  envelope: 'envelope' in classification ? classification.envelope : undefined,
});
