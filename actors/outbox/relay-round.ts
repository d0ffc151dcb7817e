import type { Long } from '../../contracts/scalars.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import type { Outbox, OutboxLease } from '../../runtime/outbox/outbox.js';
import type { Entry } from '../../runtime/outbox/stream-queue.js';
import { OutboxWindow } from '../../runtime/outbox/window.js';
import type { RunEnd } from '../follow/follower-machine.js';
import { Alarm } from '../follow/alarm.js';
import type { Lease } from '../follow/lease.js';
import type { PublishOutcome, RelayPublisher } from './relay-publisher.js';

export interface RoundSettings {
  /** How many positions to read at once. */
  readonly pageSize: number;
  readonly inFlight: number;
  /** How many messages of one stream may be in flight, when the transport keeps the order. */
  readonly perStream: number;
}

/** What the relay knows of the log, kept between rounds so that nothing is sent twice after an obstacle. */
export interface RelayProgress {
  cursor: Long;
  window: OutboxWindow;
}

export const noProgress = (): RelayProgress => ({ cursor: 0, window: new OutboxWindow(0) });

type Obstacle = { readonly is: 'unreachable' | 'lost' } | { readonly is: 'failed'; readonly error: unknown };

const maxStopMs = 2_000;
const maxWaitMs = 1_000;
const advanceEveryMs = 100;
/** How many pages to read ahead while a stream waits for its retry. */
const maxPagesUnsettled = 4;
const maxPagesBehindRetry = 16;

/** Acquires the lease and publishes what the log holds at that moment; ends early at an obstacle. */
export class RelayRound {
  #head = 0;
  #advancedAt = performance.now();
  #inFlight = 0;
  #refilling = false;
  #hasEnded = false;
  #obstacle: Obstacle | undefined;
  readonly #alarm = new Alarm();

  constructor(
    private readonly outbox: Pick<Outbox, 'page' | 'importedTo' | 'pendingReplays' | 'advance'>,
    private readonly lease: Lease<OutboxLease>,
    private readonly publisher: RelayPublisher,
    private readonly settings: RoundSettings,
    private readonly progress: RelayProgress,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<RunEnd> {
    const grant = await this.lease.acquireLease();
    if (!grant.held) return 'overtaken';
    this.#head = grant.head;
    if (this.progress.cursor !== grant.position) {
      this.progress.cursor = grant.position;
      this.progress.window = new OutboxWindow(grant.position);
    }
    const wake = () => this.#alarm.ring();
    this.signal.addEventListener('abort', wake);
    try {
      if (grant.hasReplays) await this.#replay();
      await this.#relay();
    } finally {
      this.#hasEnded = true;
      this.signal.removeEventListener('abort', wake);
    }
    if (this.#obstacle?.is === 'failed') throw this.#obstacle.error;
    if (this.#obstacle?.is === 'lost') return 'overtaken';
    return this.#obstacle?.is ?? 'caught up';
  }

  async #replay(): Promise<void> {
    for (const replay of await this.outbox.pendingReplays()) {
      if (this.signal.aborted || this.#obstacle !== undefined) return;
      this.#noteObstacle(await this.publisher.replay(replay));
      await this.#renewLease();
    }
  }

  async #relay(): Promise<void> {
    let stopBy = Number.POSITIVE_INFINITY;
    while (!this.#isOver || this.#inFlight > 0) {
      if (this.signal.aborted) stopBy = Math.min(stopBy, performance.now() + maxStopMs);
      if (performance.now() >= stopBy) break;
      await this.#step().catch((error: unknown) => (this.#obstacle ??= { is: 'failed', error }));
      await this.#waitForChange(stopBy);
    }
    if (this.#mayWrite && this.progress.window.settledTo > this.progress.cursor) await this.#advance();
  }

  async #step(): Promise<void> {
    if (this.#mayRead) await this.#read();
    await this.#renewLease();
    this.#publishReady();
    if (this.#advanceIn <= 0) await this.#advance();
  }

  get #mayWrite(): boolean {
    return this.#obstacle === undefined || this.#obstacle.is === 'unreachable';
  }

  get #isOver(): boolean {
    const { size, readTo } = this.progress.window;
    return this.signal.aborted || this.#obstacle !== undefined || (size === 0 && readTo >= this.#head);
  }

  get #mayRead(): boolean {
    const { pageSize } = this.settings;
    const { size, readTo } = this.progress.window;
    if (this.#isOver || readTo >= this.#head) return false;
    return (
      size < pageSize * maxPagesUnsettled && readTo - this.progress.cursor < pageSize * maxPagesBehindRetry
    );
  }

  async #read(): Promise<void> {
    const from = this.progress.window.readTo;
    if (!this.publisher.hasSubscribers) return this.progress.window.add([], this.#head, performance.now());
    const to = Math.min(this.#head, from + this.settings.pageSize);
    const page = await this.outbox.page(from, to);
    // A long import would be read page by page, for nothing.
    const isLong = page.length === 0 && to < this.#head;
    const passed = isLong ? Math.min(this.#head, await this.outbox.importedTo(to)) : to;
    this.progress.window.add(page, passed, performance.now());
  }

  #publishReady(): void {
    // A process that was frozen, or waited for the store, asks whether the lease is still its own before it sends anything.
    if (this.#isOver || this.lease.hasExpired) return;
    const { inFlight, perStream } = this.settings;
    const free = inFlight - this.#inFlight;
    const each = this.publisher.keepsOrder ? perStream : 1;
    for (const entry of this.progress.window.take(performance.now(), free, each)) {
      this.#inFlight++;
      void this.#publish(entry);
    }
  }

  async #publish(entry: Entry): Promise<void> {
    try {
      const outcome = await this.publisher.publish(entry.message, entry.attempts);
      this.#noteObstacle(outcome);
      const now = performance.now();
      if (outcome.is === 'settled') this.progress.window.settle(entry);
      else if (outcome.is === 'refused')
        this.progress.window.retry(entry, outcome.attempts, now + outcome.retryInMs);
      else this.progress.window.retry(entry, entry.attempts, now);
    } catch (error) {
      this.#obstacle ??= { is: 'failed', error };
      this.progress.window.retry(entry, entry.attempts, performance.now());
    }
    this.#inFlight--;
    this.#refill();
  }

  /**
   * Acknowledgements that arrive together free slots together, so that many messages share one write to the socket.
   */
  #refill(): void {
    if (this.#refilling) return;
    this.#refilling = true;
    setImmediate(() => {
      this.#refilling = false;
      if (this.#hasEnded) return;
      this.#publishReady();
      this.#alarm.ring();
    });
  }

  #noteObstacle({ is }: PublishOutcome): void {
    if (is === 'unreachable' || is === 'lost') this.#obstacle ??= { is };
  }

  /** The cursor advances when a page is settled or some time has passed, not for every message. */
  get #advanceIn(): number {
    const settled = this.progress.window.settledTo - this.progress.cursor;
    if (settled === 0 || !this.#mayWrite) return Number.POSITIVE_INFINITY;
    return settled >= this.settings.pageSize ? 0 : this.#advancedAt + advanceEveryMs - performance.now();
  }

  async #advance(): Promise<void> {
    const to = this.progress.window.settledTo;
    const advanced = await this.lease.renewWith(async (leaseMs) => {
      failpoint('outbox-before-advance');
      const moved = await this.outbox.advance(this.progress.cursor, to, leaseMs);
      failpoint('outbox-after-advance');
      return moved;
    });
    this.#advancedAt = performance.now();
    if (advanced) this.progress.cursor = to;
    else this.#obstacle = { is: 'lost' };
  }

  get #renewIn(): number {
    return this.#mayWrite && !this.signal.aborted ? this.lease.renewInMs : Number.POSITIVE_INFINITY;
  }

  async #renewLease(): Promise<void> {
    if (this.#renewIn > 0) return;
    const grant = await this.lease.acquireLease();
    // Another relay may have had the lease meanwhile, and moved the cursor.
    if (!grant.held || grant.position !== this.progress.cursor) this.#obstacle = { is: 'lost' };
    // A round with a message that waits long must not keep newer ones waiting.
    else this.#head = Math.max(this.#head, grant.head);
  }

  get #retryIn(): number {
    const busy = this.#isOver || this.#inFlight >= this.settings.inFlight;
    return busy ? Number.POSITIVE_INFINITY : this.progress.window.nextDueAt - performance.now();
  }

  /** Waits until a publish has ended, or something is due. */
  #waitForChange(stopBy: number): Promise<void> | void {
    if (this.#mayRead || (this.#isOver && this.#inFlight === 0)) return;
    const due = Math.min(
      maxWaitMs,
      stopBy - performance.now(),
      this.#retryIn,
      this.#advanceIn,
      this.#renewIn,
    );
    if (due > 0) return this.#alarm.sleep(Math.ceil(due));
  }
}
