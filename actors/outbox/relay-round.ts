import type { Long } from '../../contracts/scalars.js';
import { failpoint } from '../../runtime/failpoint.js';
import type { Outbox, Turn } from '../../runtime/outbox/outbox.js';
import type { Entry } from '../../runtime/outbox/stream-line.js';
import { OutboxWindow } from '../../runtime/outbox/window.js';
import type { Lease } from '../lease/lease.js';
import type { RelaySender, Sent } from './relay-sender.js';

export interface RoundSettings {
  /** How many positions are read at once. */
  readonly pageSize: number;
  readonly inFlight: number;
  /** So many of one stream may be in flight, where the transport keeps the order. */
  readonly perStream: number;
}

export type RoundEnd =
  | { readonly ended: 'drained' | 'unreachable' }
  | { readonly ended: 'without-lease'; readonly retryInMs: number };

/** Where the relay is in the log; kept from round to round, so that nothing is sent twice after an obstacle. */
export interface Place {
  cursor: Long;
  window: OutboxWindow;
}

export const startOfLog = (): Place => ({ cursor: 0, window: new OutboxWindow(0) });

type Obstacle = { readonly is: 'unreachable' | 'lost' } | { readonly is: 'failed'; readonly error: unknown };

const longestStopMs = 2_000;
const longestWaitMs = 1_000;
const advanceEveryMs = 100;
/** So much may be read ahead, in pages, while a stream waits for its retry. */
const pagesUnsettled = 4;
const pagesBehindRetry = 16;

/** Takes the lease and publishes what the log holds at that moment; ends early when something is in the way. */
export class RelayRound {
  #head = 0;
  #advancedAt = performance.now();
  #inFlight = 0;
  #refilling = false;
  #hasEnded = false;
  #obstacle: Obstacle | undefined;
  #changed = (): void => undefined;

  constructor(
    private readonly outbox: Pick<Outbox, 'page' | 'replays' | 'advance'>,
    private readonly lease: Lease<Turn>,
    private readonly sender: RelaySender,
    private readonly settings: RoundSettings,
    private readonly place: Place,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<RoundEnd> {
    const turn = await this.lease.turn();
    if (!turn.held) return { ended: 'without-lease', retryInMs: turn.remainingMs };
    this.#head = turn.head;
    if (this.place.cursor !== turn.position) {
      this.place.cursor = turn.position;
      this.place.window = new OutboxWindow(turn.position);
    }
    const wake = () => this.#changed();
    this.signal.addEventListener('abort', wake);
    try {
      if (turn.replays) await this.#replay();
      await this.#relay();
    } finally {
      this.#hasEnded = true;
      this.signal.removeEventListener('abort', wake);
    }
    if (this.#obstacle?.is === 'failed') throw this.#obstacle.error;
    if (this.#obstacle?.is === 'lost') return { ended: 'without-lease', retryInMs: 0 };
    return { ended: this.#obstacle?.is ?? 'drained' };
  }

  async #replay(): Promise<void> {
    for (const replay of await this.outbox.replays()) {
      if (this.signal.aborted || this.#obstacle !== undefined) return;
      this.#note(await this.sender.replay(replay));
      await this.#keepLease();
    }
  }

  async #relay(): Promise<void> {
    let stopBy = Number.POSITIVE_INFINITY;
    while (!this.#isOver || this.#inFlight > 0) {
      if (this.signal.aborted) stopBy = Math.min(stopBy, performance.now() + longestStopMs);
      if (performance.now() >= stopBy) break;
      await this.#step().catch((error: unknown) => (this.#obstacle ??= { is: 'failed', error }));
      await this.#change(stopBy);
    }
    if (this.#mayWrite && this.place.window.settledTo > this.place.cursor) await this.#advance();
  }

  async #step(): Promise<void> {
    if (this.#mayRead) await this.#read();
    this.#publishReady();
    if (this.#advanceIn <= 0) await this.#advance();
    await this.#keepLease();
  }

  get #mayWrite(): boolean {
    return this.#obstacle === undefined || this.#obstacle.is === 'unreachable';
  }

  get #isOver(): boolean {
    const { size, readTo } = this.place.window;
    return this.signal.aborted || this.#obstacle !== undefined || (size === 0 && readTo >= this.#head);
  }

  get #mayRead(): boolean {
    const { pageSize } = this.settings;
    const { size, readTo } = this.place.window;
    if (this.#isOver || readTo >= this.#head) return false;
    return size < pageSize * pagesUnsettled && readTo - this.place.cursor < pageSize * pagesBehindRetry;
  }

  async #read(): Promise<void> {
    const from = this.place.window.readTo;
    if (!this.sender.isHeard) return this.place.window.add([], this.#head, performance.now());
    const to = Math.min(this.#head, from + this.settings.pageSize);
    this.place.window.add(await this.outbox.page(from, to), to, performance.now());
  }

  #publishReady(): void {
    // A process that was frozen finds out here, before it sends anything.
    if (this.lease.hasRunOut) this.#obstacle ??= { is: 'lost' };
    if (this.#isOver) return;
    const { inFlight, perStream } = this.settings;
    const most = inFlight - this.#inFlight;
    const each = this.sender.keepsOrder ? perStream : 1;
    for (const entry of this.place.window.take(performance.now(), most, each)) {
      this.#inFlight++;
      void this.#publish(entry);
    }
  }

  async #publish(entry: Entry): Promise<void> {
    try {
      const sent = await this.sender.send(entry.message, entry.attempts);
      this.#note(sent);
      const now = performance.now();
      if (sent.is === 'settled') this.place.window.settle(entry, now);
      else if (sent.is === 'refused') this.place.window.retry(entry, sent.attempts, now + sent.againInMs);
      else this.place.window.retry(entry, entry.attempts, now);
    } catch (error) {
      this.#obstacle ??= { is: 'failed', error };
      this.place.window.retry(entry, entry.attempts, performance.now());
    }
    this.#inFlight--;
    this.#refill();
  }

  /** Answers that come together make room together: many messages share one write to the socket. */
  #refill(): void {
    if (this.#refilling) return;
    this.#refilling = true;
    setImmediate(() => {
      this.#refilling = false;
      if (this.#hasEnded) return;
      this.#publishReady();
      this.#changed();
    });
  }

  #note({ is }: Sent): void {
    if (is === 'unreachable' || is === 'lost') this.#obstacle ??= { is };
  }

  /** The cursor is moved when a page is settled or some time has passed, not for every message. */
  get #advanceIn(): number {
    const settled = this.place.window.settledTo - this.place.cursor;
    if (settled === 0 || !this.#mayWrite) return Number.POSITIVE_INFINITY;
    return settled >= this.settings.pageSize ? 0 : this.#advancedAt + advanceEveryMs - performance.now();
  }

  async #advance(): Promise<void> {
    const to = this.place.window.settledTo;
    const advanced = await this.lease.renewedBy(async (leaseMs) => {
      failpoint('outbox-before-advance');
      const moved = await this.outbox.advance(this.place.cursor, to, leaseMs);
      failpoint('outbox-after-advance');
      return moved;
    });
    this.#advancedAt = performance.now();
    if (advanced) this.place.cursor = to;
    else this.#obstacle = { is: 'lost' };
  }

  get #renewIn(): number {
    return this.#mayWrite ? this.lease.renewInMs : Number.POSITIVE_INFINITY;
  }

  async #keepLease(): Promise<void> {
    if (this.#renewIn > 0) return;
    if (!(await this.lease.turn()).held) this.#obstacle = { is: 'lost' };
  }

  get #retryIn(): number {
    const busy = this.#isOver || this.#inFlight >= this.settings.inFlight;
    return busy ? Number.POSITIVE_INFINITY : this.place.window.nextDueAt - performance.now();
  }

  /** Until a publish has ended, or something is due. */
  #change(stopBy: number): Promise<void> | void {
    if (this.#mayRead || (this.#isOver && this.#inFlight === 0)) return;
    const due = Math.min(
      longestWaitMs,
      stopBy - performance.now(),
      this.#retryIn,
      this.#advanceIn,
      this.#renewIn,
    );
    if (due <= 0) return;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.ceil(due));
      this.#changed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
