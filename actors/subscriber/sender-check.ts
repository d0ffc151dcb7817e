import { StoreTrusted } from '../../contracts/events/store-trusted.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { StoreTrust } from '../../contracts/store-trust.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { ClassifiedMessage } from '../../runtime/inbox/classify-message.js';
import type { Inbox, KnownStore, LostLease } from '../../runtime/inbox/inbox.js';
import { log } from '../../runtime/log.js';
import { nowText } from '../../runtime/now-text.js';

export interface SenderCheckPorts {
  readonly inbox: Pick<Inbox, 'knownStores' | 'meetStores'>;
  /** Emits in the background. */
  readonly report: (message: SystemMessage) => void;
  /** What happens to a store that is not known yet; `pin` unless given. */
  readonly trust?: StoreTrust | undefined;
  /** The name of this host. */
  readonly host?: string | undefined;
}

type NoteSenders = (leaseMs: number) => Promise<void | LostLease>;

interface Checked {
  classification: ClassifiedMessage;
}

/** Takes only messages of trusted stores; those of others are passed over, and stay at the broker. */
export class SenderCheck {
  constructor(private readonly ports: SenderCheckPorts) {}

  /** The returned function notes who sent something; call it once the messages are stored. */
  async check(messages: readonly Checked[], isReplay: boolean): Promise<NoteSenders> {
    const counts = senderCounts(messages);
    if (counts.size === 0) return () => Promise.resolve(undefined);
    const known = await this.ports.inbox.knownStores([...counts.keys()]);
    for (const message of messages) {
      const store = senderOf(message.classification);
      if (store === undefined || this.#isTrusted(known.get(store))) continue;
      message.classification = isReplay ? refused(message.classification) : { is: 'untrusted' };
    }
    return (leaseMs) => this.#note(counts, known, leaseMs);
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
  ): Promise<void | LostLease> {
    const met = new Map(
      [...counts].filter(([store, sent]) => sent > 0 && known.get(store)?.isRecent !== true),
    );
    if (met.size === 0) return;
    const pinned = await this.ports.inbox.meetStores(met, this.#pins, leaseMs);
    if (pinned === 'lost') return pinned;
    for (const storeId of pinned) {
      log.info({ store: storeId }, 'a store that was not known is trusted from its first message on');
      const { host: actor = '' } = this.ports;
      this.ports.report(new StoreTrusted({ storeId, how: 'pinned', actor, timestamp: nowText() }));
    }
  }
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

const refused = (classification: ClassifiedMessage): ClassifiedMessage => ({
  is: 'dead',
  problem: new Problem('store-not-trusted'),
  envelope: 'envelope' in classification ? classification.envelope : undefined,
});
