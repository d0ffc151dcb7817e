import type {
  InboundMessage,
  Subscription,
  SubscriptionRequest,
  Transport,
} from '../../contracts/transport.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { log } from '../../runtime/log.js';
import type { InboxTurn, ReceivedReplay } from '../../runtime/inbox/inbox.js';
import type { Wanted } from '../../runtime/inbox/judge.js';
import { Lease } from '../lease/lease.js';
import { Reception, type ReceptionPorts, type ReceptionState } from './reception.js';

export interface SubscriberPorts extends ReceptionPorts {
  readonly transport: Pick<Transport, 'subscribe' | 'ping'>;
  /** Reports when a lease is released. */
  readonly notifications: NotificationSource;
}

/** What a subscriber subscribes to: one name and its subjects for every stream of the broker. */
export type Subject = Pick<SubscriptionRequest, 'name' | 'subjects'>;

/** What is subscribed now, for the health check. */
export interface Live extends ReceptionState {
  subscriptions: readonly Pick<Subscription, 'name' | 'isUp' | 'losses'>[];
}

export interface ReceivingSettings {
  readonly leaseMs: number;
  /** While the broker cannot be reached for so long, the lease is left to another host. */
  readonly unreachableMs: number;
}

export type ReceivingEnd =
  | { readonly ended: 'stopped' | 'unreachable' }
  | { readonly ended: 'without-lease'; readonly retryInMs: number };

/** So much of a lease is left for a store that is slow to answer. */
const leaseReserve = 1 / 6;
const lookMs = 250;
const retryTurnMs = 300;
const longestStopMs = 2_000;

/** Holds the lease and lets messages come, until it is told to stop, loses the lease or cannot keep it. */
export class Receiving {
  readonly #lease: Lease<InboxTurn>;
  readonly #reception: Reception;
  #lost = false;
  #subscribed: readonly Subscription[] = [];
  #upAt = 0;
  #changed = (): void => undefined;

  constructor(
    private readonly ports: SubscriberPorts,
    wanted: Wanted,
    private readonly subjects: readonly Subject[],
    private readonly settings: ReceivingSettings,
    private readonly live: Live,
    private readonly signal: AbortSignal,
  ) {
    this.#lease = new Lease(ports.inbox, settings.leaseMs, leaseReserve);
    this.#reception = new Reception(ports, wanted, this.#lease, live, () => {
      this.#lost = true;
      this.#changed();
    });
  }

  async run(): Promise<ReceivingEnd> {
    const turn = await this.#lease.turn();
    if (!turn.held) return { ended: 'without-lease', retryInMs: turn.remainingMs };
    const wake = () => this.#changed();
    this.signal.addEventListener('abort', wake);
    // The consumer has yet to be made or found.
    this.#upAt = performance.now() + this.settings.leaseMs;
    this.#subscribed = this.subjects.map((subject) =>
      this.ports.transport.subscribe({
        ...subject,
        mayTake: () => !this.#lease.hasRunOut,
        take: (batch) => this.#reception.take(batch),
      }),
    );
    this.live.subscriptions = this.#subscribed;
    try {
      if (turn.replays) await this.#replay();
      await this.#keepLease();
    } finally {
      this.signal.removeEventListener('abort', wake);
      await this.#unsubscribe();
    }
    if (this.#lost) return { ended: 'without-lease', retryInMs: 0 };
    return { ended: this.signal.aborted ? 'stopped' : 'unreachable' };
  }

  get #isUnreachable(): boolean {
    const now = performance.now();
    if (this.#subscribed.some(({ isUp }) => isUp)) this.#upAt = now;
    return now - this.#upAt > this.settings.unreachableMs;
  }

  /** Ends with an error when the lease has run out and could not be kept. */
  async #keepLease(): Promise<void> {
    while (!this.signal.aborted && !this.#lost) {
      await this.#pause(Math.min(this.#lease.renewInMs, lookMs));
      if (this.signal.aborted || this.#lost || this.#isUnreachable) return;
      if (this.#lease.renewInMs > 0) continue;
      try {
        const turn = await this.#lease.turn();
        if (!turn.held) this.#lost = true;
        else if (turn.replays) await this.#replay();
      } catch (error) {
        if (this.#lease.hasRunOut) throw error;
        await this.#pause(retryTurnMs);
      }
    }
  }

  /** Dead letters that an operator wants taken again; one that dies again stays dead. */
  async #replay(): Promise<void> {
    for (;;) {
      const replays = await this.ports.inbox.replays();
      if (replays.length === 0) return;
      for (let rest = replays; rest.length > 0;) {
        if (this.signal.aborted || this.#lost) return;
        const taken = await this.#reception.take(rest.map(asMessage), true);
        const done = taken.findIndex((one) => one !== 'done');
        if (done === 0) return;
        const settled = done < 0 ? rest : rest.slice(0, done);
        await this.ports.inbox.replayed(settled);
        rest = rest.slice(settled.length);
      }
      if (this.#lease.renewInMs <= 0) await this.#lease.turn();
    }
  }

  async #unsubscribe(): Promise<void> {
    const stops = this.#subscribed.map((subscription) => subscription.stop());
    this.live.subscriptions = [];
    this.live.isFull = false;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, longestStopMs)));
    await Promise.race([Promise.allSettled(stops).then(noteFailures), tooLong]);
    clearTimeout(timer);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms));
      this.#changed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

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
