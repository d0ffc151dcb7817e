import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import type { InboundMessage, Acknowledgement } from '../../contracts/transport.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import type { ReceivedStatus } from '../../contracts/host-status.js';
import type { Uuid } from '../../contracts/scalars.js';
import { type Inbox, type InboxLease, LeaseLost, type StoreResult } from '../../runtime/inbox/inbox.js';
import {
  classifyMessage,
  type ClassifiedMessage,
  type InboundFilter,
} from '../../runtime/inbox/classify-message.js';
import { log } from '../../runtime/logging/log.js';
import { receivingAll } from '../../runtime/tracing/tracing.js';
import type { Lease } from '../follow/lease.js';
import { DeadLetters, type DeadLetterPorts } from './store-dead-letters.js';
import { SenderCheck, type SenderCheckPorts } from './sender-check.js';
import { holdOrigins, noteOrigins } from './hold-origins.js';
import type { ClockSkew } from './clock-skew.js';
import { HeadReports } from './head-reports.js';
import type { SubscriberCounts } from './subscriber-counts.js';
import { quarantineOf, suspectOf, beforeNextSuspect } from './poison-message-suspects.js';

export interface BatchReceiverPorts extends DeadLetterPorts, Omit<SenderCheckPorts, 'inbox'> {
  readonly inbox: Inbox;
  /** Called with the status of other hosts. */
  readonly onStatus?: ((status: ReceivedStatus) => void) | undefined;
}

interface Classified {
  readonly message: InboundMessage;
  classification: ClassifiedMessage;
  acknowledgement: Acknowledgement;
}

type ClassifiedAs<K extends ClassifiedMessage['is']> = Classified & {
  readonly classification: Extract<ClassifiedMessage, { readonly is: K }>;
};

const firstRetryMs = 200;
const maxRetryMs = 2_000;
const yieldAfterMs = 20;
const redeliverNow: Acknowledgement = { redeliverInMs: 0 };

/** The part of the state that others may read. */
export interface BatchReceiverState {
  readonly counts: SubscriberCounts;
  /**
   * Too many dead letters wait for a decision: the broker keeps the next message that cannot be stored, and all
   * behind it.
   */
  isFull: boolean;
  readonly clocks: ClockSkew;
}

/**
 * Receives batches of messages in order: stores what is subscribed to, skips the rest, keeps what cannot be stored as
 * dead letters.
 */
export class BatchReceiver {
  #failures = 0;
  #previous: Promise<unknown> = Promise.resolve();
  readonly #headReports = new HeadReports();
  readonly #senders: SenderCheck;
  readonly #deadLetters: DeadLetters;

  constructor(
    private readonly ports: BatchReceiverPorts,
    private readonly filter: InboundFilter,
    private readonly lease: Lease<InboxLease>,
    private readonly state: BatchReceiverState,
    private readonly lost: () => void,
  ) {
    this.#senders = new SenderCheck(ports);
    this.#deadLetters = new DeadLetters(ports);
  }

  /**
   * Never rejects: what cannot be handled now is redelivered. `isReplay`: an operator replays these messages. One batch
   * at a time, also of several streams: should the host die under a message that it handles alone, no other is blamed.
   */
  handle(batch: readonly InboundMessage[], isReplay = false): Promise<Acknowledgement[]> {
    const handled = this.#previous.then(() => this.#handleNext(batch, isReplay));
    this.#previous = handled;
    return handled;
  }

  async #handleNext(batch: readonly InboundMessage[], isReplay: boolean): Promise<Acknowledgement[]> {
    const some = beforeNextSuspect(batch);
    const acknowledgements = await this.#handleTogether(some, isReplay);
    return [...acknowledgements, ...batch.slice(some.length).map(() => redeliverNow)];
  }

  async #handleTogether(some: readonly InboundMessage[], isReplay: boolean): Promise<Acknowledgement[]> {
    const again: Acknowledgement = {
      redeliverInMs: Math.min(maxRetryMs, firstRetryMs * 2 ** this.#failures),
    };
    this.state.counts.received += some.length;
    let classified: readonly Classified[] = [];
    try {
      const suspect = suspectOf(some);
      classified =
        suspect === undefined
          ? await this.#classifyAll(some, again)
          : [
              {
                message: suspect,
                classification: await this.#classifyAlone(suspect),
                acknowledgement: again,
              },
            ];
      for (const { classification } of classified) this.#compareClocks(classification);
      if (isReplay) await this.#admit(classified);
      const noteSenders = await this.#senders.check(classified, isReplay, this.lease.leaseMs);
      await this.#settle(classified);
      await noteSenders(this.lease.leaseMs);
      if (suspect !== undefined && classified[0]?.acknowledgement === 'done')
        await this.ports.inbox.endAttempt(suspect);
      this.#failures = 0;
    } catch (error) {
      if (error instanceof LeaseLost) this.lost();
      else if (this.#failures++ === 0)
        log.warn({ err: error }, 'received messages cannot be stored; retrying');
    }
    return some.map((_, index) => classified[index]?.acknowledgement ?? again);
  }

  /** Yields between large messages, so that they do not block the host. */
  async #classifyAll(
    some: readonly InboundMessage[],
    acknowledgement: Acknowledgement,
  ): Promise<Classified[]> {
    const classified: Classified[] = [];
    let since = performance.now();
    for (const message of some) {
      classified.push({ message, classification: classifyMessage(message, this.filter), acknowledgement });
      if (performance.now() - since < yieldAfterMs) continue;
      await setImmediate();
      since = performance.now();
    }
    return classified;
  }

  /** Records the attempt first, so that every host knows of it should this one die. */
  async #classifyAlone(message: InboundMessage): Promise<ClassifiedMessage> {
    const begun = await this.ports.inbox.beginAttempt(message);
    const problem = quarantineOf(begun);
    if (problem === undefined) return classifyMessage(message, this.filter);
    this.state.counts.quarantined++;
    return { is: 'dead', problem, envelope: undefined };
  }

  #compareClocks(classification: ClassifiedMessage): void {
    if (classification.is === 'status')
      this.state.clocks.note(classification.status.store, classification.status.reportedAt);
    else if (classification.is === 'event' || classification.is === 'record')
      this.state.clocks.note(classification.envelope.store, classification.envelope.recordedAt);
  }

  async #admit(classified: readonly Classified[]): Promise<void> {
    if (this.ports.trust === 'strict') return;
    const stores = [...only(classified, 'event'), ...only(classified, 'record')].map(
      ({ classification }) => classification.envelope.store,
    );
    for (const store of new Set(stores)) await this.ports.inbox.admitStore(store, this.lease.leaseMs);
  }

  async #settle(classified: readonly Classified[]): Promise<void> {
    const { inbox } = this.ports;
    const { leaseMs } = this.lease;
    for (const one of classified) this.#skip(one);
    for (const one of only(classified, 'status')) this.#receiveStatus(one);
    const newcomers = await holdOrigins(classified, this.ports);
    await this.#store(only(classified, 'event'), (events) =>
      inbox.storeEvents(
        events.map(({ classification }) => classification.event),
        leaseMs,
      ),
    );
    await this.#store(only(classified, 'record'), (records) =>
      inbox.storeRecords(
        records.map(({ classification }) => classification.record),
        leaseMs,
      ),
    );
    const forged = new Set<Uuid>();
    for (const head of only(classified, 'head')) await this.#storeHead(head, forged);
    await noteOrigins(newcomers, this.ports);
    await this.#deadLetter(only(classified, 'dead'));
  }

  #skip(classified: Classified): void {
    const { is } = classified.classification;
    if (is !== 'own' && is !== 'unknown' && is !== 'filtered' && is !== 'untrusted') return;
    this.state.counts[is]++;
    classified.acknowledgement = 'done';
  }

  #receiveStatus(classified: ClassifiedAs<'status'>): void {
    this.state.counts.statuses++;
    this.ports.onStatus?.(classified.classification.status);
    classified.acknowledgement = 'done';
  }

  async #store<T extends ClassifiedAs<'event'> | ClassifiedAs<'record'>>(
    classified: readonly T[],
    store: (classified: readonly T[]) => Promise<readonly StoreResult[]>,
  ): Promise<void> {
    if (classified.length === 0) return;
    const requestedAt = performance.now();
    failpoint('inbox-before-store');
    const envelopes = classified.map(({ classification }) => classification.envelope);
    const kept = await receivingAll(envelopes, () => store(classified));
    failpoint('inbox-after-store');
    this.lease.renewedAt(requestedAt);
    classified.forEach((one, index) => this.#noteStored(one, kept[index] ?? 'duplicate'));
  }

  #noteStored(classified: ClassifiedAs<'event'> | ClassifiedAs<'record'>, kept: StoreResult): void {
    if (kept === 'stored' || kept === 'duplicate') {
      this.state.counts[kept]++;
      classified.acknowledgement = 'done';
      return;
    }
    const problem = typeof kept === 'string' ? new Problem(kept) : kept.refused;
    const { envelope } = classified.classification;
    (classified as Classified).classification = { is: 'dead', problem, envelope };
  }

  /** `forged`: the stores of which a forged head was stored already; of each batch one is enough to report it. */
  async #storeHead(classified: ClassifiedAs<'head'>, forged: Set<Uuid>): Promise<void> {
    const { store, head } = classified.classification;
    const isKnown = forged.has(store) && head.proof === 'invalid';
    const kept = isKnown ? 'forged' : await this.ports.inbox.storeHead(store, head, this.lease.leaseMs);
    if (kept === 'forged') forged.add(store);
    this.state.counts.heads++;
    classified.acknowledgement = 'done';
    this.#headReports.note(store, head, kept, this.state.counts);
  }

  async #deadLetter(dead: readonly ClassifiedAs<'dead'>[]): Promise<void> {
    const results = await this.#deadLetters.store(dead);
    dead.forEach((one, index) => {
      if (results[index] === 'full') return void (one.acknowledgement = { redeliverInMs: maxRetryMs });
      this.state.counts[results[index] === 'dropped' ? 'dropped' : 'dead']++;
      one.acknowledgement = 'done';
    });
    if (dead.length > 0) this.#noteFull(!results.includes('full'));
  }

  #noteFull(hasRoom: boolean): void {
    if (!hasRoom && !this.state.isFull)
      log.error(
        'too many dead letters wait for a decision: nothing behind the next one is received until some are resolved',
      );
    this.state.isFull = !hasRoom;
  }
}

const only = <K extends ClassifiedMessage['is']>(
  classified: readonly Classified[],
  is: K,
): ClassifiedAs<K>[] =>
  classified.filter(({ classification }) => classification.is === is) as unknown as ClassifiedAs<K>[];
