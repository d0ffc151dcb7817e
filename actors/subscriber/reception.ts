import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import type { InboundMessage, Taken } from '../../contracts/transport.js';
import { failpoint } from '../../runtime/failpoint.js';
import type { ReceivedStatus } from '../../runtime/inbox/host-status.js';
import type { Inbox, InboxTurn, Kept, Lost } from '../../runtime/inbox/inbox.js';
import { judge, type Verdict, type Wanted } from '../../runtime/inbox/judge.js';
import { log } from '../../runtime/log.js';
import { receivingAll } from '../../runtime/tracing.js';
import type { Lease } from '../lease/lease.js';
import { setAside, type SettingAside } from './set-aside.js';
import type { StoreClocks } from './store-clocks.js';
import type { SubscriberCounts } from './subscriber-counts.js';
import { quarantineOf, suspectOf, takenTogether } from './suspects.js';

export interface ReceptionPorts extends SettingAside {
  readonly inbox: Inbox;
  /** Told how other hosts say they are. */
  readonly heard?: ((status: ReceivedStatus) => void) | undefined;
}

interface Judged {
  readonly message: InboundMessage;
  verdict: Verdict;
  taken: Taken;
}

type Of<K extends Verdict['is']> = Judged & { readonly verdict: Extract<Verdict, { readonly is: K }> };

/** Another subscriber has the lease now. */
class LeaseLost extends Problem {
  constructor() {
    super('store-unavailable', { detail: 'Another subscriber of this store has taken over.' });
  }
}

const firstRetryMs = 200;
const mostRetryMs = 2_000;
const mostAtOnceMs = 20;
const atOnce: Taken = { againInMs: 0 };

/** What others may see of it. */
export interface ReceptionState {
  readonly counts: SubscriberCounts;
  /** Too many dead letters wait for a decision: what cannot be taken stays with the broker, and all behind it. */
  isFull: boolean;
  readonly clocks: StoreClocks;
}

/** Takes batches of messages, in order: stores what is wanted, passes over what is not, sets aside what cannot be taken. */
export class Reception {
  #failures = 0;

  constructor(
    private readonly ports: ReceptionPorts,
    private readonly wanted: Wanted,
    private readonly lease: Lease<InboxTurn>,
    private readonly state: ReceptionState,
    private readonly lost: () => void,
  ) {}

  /** Never rejects: what could not be done now is to be brought again. `admits`: an operator wants them taken. */
  async take(batch: readonly InboundMessage[], admits = false): Promise<Taken[]> {
    const some = takenTogether(batch);
    const taken = await this.#takeSome(some, admits);
    return [...taken, ...batch.slice(some.length).map(() => atOnce)];
  }

  async #takeSome(some: readonly InboundMessage[], admits: boolean): Promise<Taken[]> {
    const again: Taken = { againInMs: Math.min(mostRetryMs, firstRetryMs * 2 ** this.#failures) };
    this.state.counts.received += some.length;
    let judged: readonly Judged[] = [];
    try {
      const suspect = suspectOf(some);
      judged =
        suspect === undefined
          ? await this.#judgeAll(some, again)
          : [{ message: suspect, verdict: await this.#judgeAlone(suspect), taken: again }];
      for (const { verdict } of judged) this.#compareClocks(verdict);
      if (admits) await this.#admit(judged);
      await this.#settle(judged);
      if (suspect !== undefined && judged[0]?.taken === 'done') await this.ports.inbox.end(suspect);
      this.#failures = 0;
    } catch (error) {
      if (error instanceof LeaseLost) this.lost();
      else if (this.#failures++ === 0)
        log.warn({ err: error }, 'received messages cannot be stored and are tried again');
    }
    return some.map((_, index) => judged[index]?.taken ?? again);
  }

  /** Large messages must not keep the host from everything else. */
  async #judgeAll(some: readonly InboundMessage[], taken: Taken): Promise<Judged[]> {
    const judged: Judged[] = [];
    let since = performance.now();
    for (const message of some) {
      judged.push({ message, verdict: judge(message, this.wanted), taken });
      if (performance.now() - since < mostAtOnceMs) continue;
      await setImmediate();
      since = performance.now();
    }
    return judged;
  }

  /** That it was begun is known to every host, should this one end under it. */
  async #judgeAlone(message: InboundMessage): Promise<Verdict> {
    const begun = await this.ports.inbox.begin(message);
    if (begun === 'lost') throw new LeaseLost();
    const problem = quarantineOf(begun);
    if (problem === undefined) return judge(message, this.wanted);
    this.state.counts.quarantined++;
    return { is: 'dead', problem, envelope: undefined };
  }

  #compareClocks(verdict: Verdict): void {
    if (verdict.is === 'status') this.state.clocks.note(verdict.status.store, verdict.status.saidAt);
    else if (verdict.is === 'event' || verdict.is === 'record')
      this.state.clocks.note(verdict.envelope.store, verdict.envelope.recordedAt);
  }

  async #admit(judged: readonly Judged[]): Promise<void> {
    const stores = [...only(judged, 'event'), ...only(judged, 'record')].map(
      ({ verdict }) => verdict.envelope.store,
    );
    for (const store of new Set(stores))
      if ((await this.ports.inbox.admit(store, this.lease.leaseMs)) === 'lost') throw new LeaseLost();
  }

  async #settle(judged: readonly Judged[]): Promise<void> {
    const { inbox } = this.ports;
    const { leaseMs } = this.lease;
    for (const one of judged) this.#passOver(one);
    for (const one of only(judged, 'status')) this.#hear(one);
    await this.#keep(only(judged, 'event'), (events) =>
      inbox.keepEvents(
        events.map(({ verdict }) => verdict.event),
        leaseMs,
      ),
    );
    await this.#keep(only(judged, 'record'), (records) =>
      inbox.keepRecords(
        records.map(({ verdict }) => verdict.record),
        leaseMs,
      ),
    );
    for (const head of only(judged, 'head')) await this.#keepHead(head);
    await this.#setAside(only(judged, 'dead'));
  }

  #passOver(judged: Judged): void {
    const { is } = judged.verdict;
    if (is !== 'own' && is !== 'unknown' && is !== 'filtered') return;
    this.state.counts[is]++;
    judged.taken = 'done';
  }

  #hear(judged: Of<'status'>): void {
    this.state.counts.statuses++;
    this.ports.heard?.(judged.verdict.status);
    judged.taken = 'done';
  }

  async #keep<T extends Of<'event'> | Of<'record'>>(
    wanted: readonly T[],
    store: (wanted: readonly T[]) => Promise<readonly Kept[] | Lost>,
  ): Promise<void> {
    if (wanted.length === 0) return;
    const asked = performance.now();
    failpoint('inbox-before-store');
    const envelopes = wanted.map(({ verdict }) => verdict.envelope);
    const kept = await receivingAll(envelopes, () => store(wanted));
    failpoint('inbox-after-store');
    if (kept === 'lost') throw new LeaseLost();
    this.lease.keptAt(asked);
    wanted.forEach((one, index) => this.#noteKept(one, kept[index] ?? 'duplicate'));
  }

  #noteKept(judged: Of<'event'> | Of<'record'>, kept: Kept): void {
    if (kept === 'stored' || kept === 'duplicate') {
      this.state.counts[kept]++;
      judged.taken = 'done';
      return;
    }
    const problem = typeof kept === 'string' ? new Problem(kept) : kept.refused;
    const { envelope } = judged.verdict;
    (judged as Judged).verdict = { is: 'dead', problem, envelope };
  }

  async #keepHead(judged: Of<'head'>): Promise<void> {
    const { store, head } = judged.verdict;
    const kept = await this.ports.inbox.keepHead(store, head, this.lease.leaseMs);
    if (kept === 'lost') throw new LeaseLost();
    this.state.counts.heads++;
    judged.taken = 'done';
    if (kept === 'kept') return;
    this.state.counts.differing++;
    log.warn({ store, ...head }, 'the chain of another store is not what was received from it');
  }

  async #setAside(dead: readonly Of<'dead'>[]): Promise<void> {
    const fates = await setAside(dead, this.ports);
    if (fates === 'lost') throw new LeaseLost();
    dead.forEach((one, index) => {
      if (fates[index] === 'full') return void (one.taken = { againInMs: mostRetryMs });
      this.state.counts.dead++;
      one.taken = 'done';
    });
    if (dead.length > 0) this.#noteRoom(!fates.includes('full'));
  }

  #noteRoom(hasRoom: boolean): void {
    if (!hasRoom && !this.state.isFull)
      log.error('too many dead letters wait: nothing behind the next one is taken until there is room');
    this.state.isFull = !hasRoom;
  }
}

const only = <K extends Verdict['is']>(judged: readonly Judged[], is: K): Of<K>[] =>
  judged.filter(({ verdict }) => verdict.is === is) as unknown as Of<K>[];
