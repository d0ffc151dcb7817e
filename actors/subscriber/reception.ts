import { Problem } from '../../contracts/problems.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { InboundMessage, Taken } from '../../contracts/transport.js';
import { failpoint } from '../../runtime/failpoint.js';
import { receivedDeadLetter, receivedDeadLetterReport } from '../../runtime/inbox/dead-letter.js';
import type { ReceivedStatus } from '../../runtime/inbox/host-status.js';
import type { Inbox, Kept, Lost } from '../../runtime/inbox/inbox.js';
import { judge, type Verdict, type Wanted } from '../../runtime/inbox/judge.js';
import { log } from '../../runtime/log.js';
import type { InboxLease } from './inbox-lease.js';
import { receivingAll } from '../../runtime/tracing.js';

export interface ReceptionPorts {
  readonly inbox: Inbox;
  /** Emits without making anybody wait. */
  readonly report: (message: SystemMessage) => void;
  /** Told how other hosts say they are. */
  readonly heard?: ((status: ReceivedStatus) => void) | undefined;
}

/** What became of the messages so far; one that is brought again counts again. */
export interface SubscriberCounts {
  received: number;
  stored: number;
  duplicate: number;
  /** From our own store. */
  own: number;
  /** Held back by the transport filter. */
  filtered: number;
  /** Of a type that nobody asks for. */
  unknown: number;
  dead: number;
  /** Dead letters that were not kept, because too many wait for a decision. */
  dropped: number;
  heads: number;
  /** Heads of chains that are not what we hold. */
  differing: number;
  /** How often another host said how it is. */
  statuses: number;
}

export const noCounts = (): SubscriberCounts => ({
  received: 0,
  stored: 0,
  duplicate: 0,
  own: 0,
  filtered: 0,
  unknown: 0,
  dead: 0,
  dropped: 0,
  heads: 0,
  differing: 0,
  statuses: 0,
});

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

/** Takes batches of messages, in order: stores what is wanted, passes over what is not, sets aside what cannot be taken. */
export class Reception {
  #failures = 0;

  constructor(
    private readonly ports: ReceptionPorts,
    private readonly wanted: Wanted,
    private readonly lease: InboxLease,
    private readonly counts: SubscriberCounts,
    private readonly lost: () => void,
  ) {}

  /** Never rejects: what could not be done now is to be brought again. */
  async take(batch: readonly InboundMessage[]): Promise<Taken[]> {
    const again: Taken = { againInMs: Math.min(mostRetryMs, firstRetryMs * 2 ** this.#failures) };
    this.counts.received += batch.length;
    const judged = batch.map((message): Judged => ({
      message,
      verdict: judge(message, this.wanted),
      taken: again,
    }));
    try {
      await this.#settle(judged);
      this.#failures = 0;
    } catch (error) {
      if (error instanceof LeaseLost) this.lost();
      else if (this.#failures++ === 0)
        log.warn({ err: error }, 'received messages cannot be stored and are tried again');
    }
    return judged.map(({ taken }) => taken);
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
    for (const dead of only(judged, 'dead')) await this.#setAside(dead);
  }

  #passOver(judged: Judged): void {
    const { is } = judged.verdict;
    if (is !== 'own' && is !== 'unknown' && is !== 'filtered') return;
    this.counts[is]++;
    judged.taken = 'done';
  }

  #hear(judged: Of<'status'>): void {
    this.counts.statuses++;
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
      this.counts[kept]++;
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
    this.counts.heads++;
    judged.taken = 'done';
    if (kept === 'kept') return;
    this.counts.differing++;
    log.warn({ store, ...head }, 'the chain of another store is not what was received from it');
  }

  async #setAside(judged: Of<'dead'>): Promise<void> {
    const { problem, envelope } = judged.verdict;
    const letter = receivedDeadLetter(judged.message, problem, envelope);
    const kept = await this.ports.inbox.deadLetter(letter);
    if (kept === 'lost') throw new LeaseLost();
    judged.taken = 'done';
    if (kept === 'full') this.counts.dropped++;
    else this.counts.dead++;
    if (kept !== 'kept') return;
    const { subject, messageId, error, fingerprint } = letter;
    log.warn(
      { subject, messageId, error, fingerprint },
      'a received message cannot be taken and is a dead letter now',
    );
    const report = receivedDeadLetterReport(letter);
    if (report !== undefined) this.ports.report(report);
  }
}

const only = <K extends Verdict['is']>(judged: readonly Judged[], is: K): Of<K>[] =>
  judged.filter(({ verdict }) => verdict.is === is) as unknown as Of<K>[];
