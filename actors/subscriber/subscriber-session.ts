import type {
  InboundMessage,
  Subscription,
  SubscriptionRequest,
  Transport,
} from '../../contracts/transport.js';
import { log } from '../../runtime/logging/log.js';
import type { BrokerStream, InboxLease, ReceivedReplay } from '../../runtime/inbox/inbox.js';
import type { InboundFilter } from '../../runtime/inbox/classify-message.js';
import type { LeaseLength } from '../../runtime/leases/lease-length.js';
import { withTimeout } from '../../runtime/lang/with-timeout.js';
import type { RunEnd } from '../follow/follower-machine.js';
import { Alarm } from '../follow/alarm.js';
import { Lease } from '../follow/lease.js';
import { BatchReceiver, type BatchReceiverPorts, type BatchReceiverState } from './batch-receiver.js';

export interface SubscriberPorts extends BatchReceiverPorts {
  readonly transport: Pick<Transport, 'subscribe' | 'ping'>;
}

/** The subscription of a subscriber: one name and its subjects for every stream of the broker. */
export interface SubscribedSubjects extends Pick<SubscriptionRequest, 'name' | 'subjects'> {
  readonly stream: BrokerStream;
}

/** The current subscriptions, for the health check. */
export interface SubscriberStatus extends BatchReceiverState {
  subscriptions: readonly Pick<Subscription, 'name' | 'isUp' | 'losses'>[];
}

interface SessionSettings {
  readonly leaseLength: LeaseLength;
  /** When the broker cannot be reached for this long, the lease is released to another host. */
  readonly unreachableMs: number;
}

/** The fraction of a lease that remains for a store that answers slowly. */
const leaseReserve = 1 / 6;
const pollMs = 250;
const retryRenewMs = 300;
const maxStopMs = 2_000;

/** Holds the lease and receives messages until it is stopped, loses the lease or cannot renew it. */
export class SubscriberSession {
  readonly #lease: Lease<InboxLease>;
  readonly #receiver: BatchReceiver;
  #lost = false;
  #subscribed: readonly Subscription[] = [];
  #lastUpAt = 0;
  #rereads = 0;
  readonly #alarm = new Alarm();

  constructor(
    private readonly ports: SubscriberPorts,
    filter: InboundFilter,
    private readonly subjects: readonly SubscribedSubjects[],
    private readonly settings: SessionSettings,
    private readonly status: SubscriberStatus,
    private readonly signal: AbortSignal,
  ) {
    this.#lease = new Lease(ports.inbox, settings.leaseLength, leaseReserve);
    this.#receiver = new BatchReceiver(ports, filter, this.#lease, status, () => {
      this.#lost = true;
      this.#alarm.ring();
    });
  }

  async run(): Promise<RunEnd> {
    const grant = await this.#lease.acquireLease();
    if (!grant.held) return 'overtaken';
    this.#rereads = grant.rereads;
    const wake = () => this.#alarm.ring();
    this.signal.addEventListener('abort', wake);
    // Allow time to create or find the consumer.
    this.#lastUpAt = performance.now() + this.settings.leaseLength.leastMs;
    this.#subscribed = this.subjects.map(({ name, subjects, stream }) =>
      this.ports.transport.subscribe({
        subjects,
        name: nameFor(name, grant.rereads),
        streamCreated: grant.streams[stream],
        noteStream: (created) => this.ports.inbox.noteStream(stream, created),
        leaseRemainingMs: () => this.#lease.remainingMs,
        handle: (batch) => this.#receiver.handle(batch),
      }),
    );
    this.status.subscriptions = this.#subscribed;
    try {
      if (grant.hasReplays) await this.#replay();
      await this.#renewLease();
    } finally {
      this.signal.removeEventListener('abort', wake);
      await this.#unsubscribe();
    }
    return this.#lost || this.signal.aborted ? 'overtaken' : 'unreachable';
  }

  get #isUnreachable(): boolean {
    const now = performance.now();
    if (this.#subscribed.some(({ isUp }) => isUp)) this.#lastUpAt = now;
    return now - this.#lastUpAt > this.settings.unreachableMs;
  }

  /** Ends with an error when the lease has expired and could not be renewed. */
  async #renewLease(): Promise<void> {
    while (!this.signal.aborted && !this.#lost) {
      await this.#alarm.sleep(Math.min(this.#lease.renewInMs, pollMs));
      if (this.signal.aborted || this.#lost || this.#isUnreachable) return;
      if (this.#lease.renewInMs > 0) continue;
      try {
        const grant = await this.#lease.acquireLease();
        // The session ends, and the next one reads from the beginning.
        if (!grant.held || grant.rereads !== this.#rereads) this.#lost = true;
        else if (grant.hasReplays) await this.#replay();
      } catch (error) {
        if (this.#lease.hasExpired) throw error;
        await this.#alarm.sleep(retryRenewMs);
      }
    }
  }

  /** Handles dead letters that an operator replays; one that fails again stays a dead letter. */
  async #replay(): Promise<void> {
    for (;;) {
      const replays = await this.ports.inbox.pendingReplays();
      if (replays.length === 0) return;
      for (let rest = replays; rest.length > 0;) {
        if (this.signal.aborted || this.#lost) return;
        const acknowledgements = await this.#receiver.handle(rest.map(asMessage), true);
        const done = acknowledgements.findIndex((one) => one !== 'done');
        if (done === 0) return;
        const settled = done < 0 ? rest : rest.slice(0, done);
        await this.ports.inbox.markReplayed(settled);
        rest = rest.slice(settled.length);
      }
      if (this.#lease.renewInMs <= 0) await this.#lease.acquireLease();
    }
  }

  async #unsubscribe(): Promise<void> {
    const stops = this.#subscribed.map((subscription) => subscription.stop());
    this.status.subscriptions = [];
    this.status.isFull = false;
    await withTimeout(maxStopMs, Promise.allSettled(stops).then(noteFailures)).catch(() => undefined);
  }
}

/** Another name gets another consumer, which starts at the beginning; the inbox skips what is stored already. */
const nameFor = (name: string, rereads: number): string => (rereads === 0 ? name : `${name}-${rereads}`);

const asMessage = ({ subject, body, headers, unanswered }: ReceivedReplay): InboundMessage => ({
  subject,
  body,
  header: (name) => headers[name],
  delivery: unanswered + 1,
  unanswered,
});

function noteFailures(stopped: readonly PromiseSettledResult<void>[]): void {
  for (const one of stopped)
    if (one.status === 'rejected')
      log.warn({ err: one.reason as unknown }, 'a subscription did not stop cleanly');
}
