import { failpoint } from '../runtime/failpoint.js';
import type { Outbox, Turn } from '../runtime/outbox/outbox.js';
import { type Entry, OutboxWindow } from '../runtime/outbox/window.js';
import type { RelaySender, Sent } from './relay-sender.js';

export interface RoundSettings {
  readonly leaseMs: number;
  /** How many positions are read at once. */
  readonly pageSize: number;
  readonly inFlight: number;
}

export type RoundEnd =
  | { readonly ended: 'drained' | 'unreachable' }
  | { readonly ended: 'without-lease'; readonly retryInMs: number };

type Obstacle = { readonly is: 'unreachable' | 'lost' } | { readonly is: 'failed'; readonly error: unknown };

const longestStopMs = 2_000;
const longestWaitMs = 1_000;
const advanceEveryMs = 100;
/** So much may be read ahead, in pages, while a stream waits for its retry. */
const pagesUnsettled = 4;
const pagesBehindRetry = 16;

/** Takes the lease and publishes what the log holds at that moment; ends early when something is in the way. */
export class RelayRound {
  #window = new OutboxWindow(0);
  #cursor = 0;
  #head = 0;
  #leaseEndsAt = 0;
  #advancedAt = performance.now();
  #inFlight = 0;
  #obstacle: Obstacle | undefined;
  #changed = (): void => undefined;

  constructor(
    private readonly outbox: Outbox,
    private readonly sender: RelaySender,
    private readonly settings: RoundSettings,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<RoundEnd> {
    const turn = await this.#renew();
    if (!turn.held) return { ended: 'without-lease', retryInMs: turn.remainingMs };
    this.#head = turn.head;
    this.#cursor = turn.position;
    this.#window = new OutboxWindow(turn.position);
    const wake = () => this.#changed();
    this.signal.addEventListener('abort', wake);
    try {
      if (turn.replays) await this.#replay();
      await this.#relay();
    } finally {
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
    if (this.#mayWrite && this.#window.settledTo > this.#cursor) await this.#advance();
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
    const { size, readTo } = this.#window;
    return this.signal.aborted || this.#obstacle !== undefined || (size === 0 && readTo >= this.#head);
  }

  get #mayRead(): boolean {
    const { pageSize } = this.settings;
    const { size, readTo } = this.#window;
    if (this.#isOver || readTo >= this.#head) return false;
    return size < pageSize * pagesUnsettled && readTo - this.#cursor < pageSize * pagesBehindRetry;
  }

  async #read(): Promise<void> {
    const from = this.#window.readTo;
    const to = Math.min(this.#head, from + this.settings.pageSize);
    this.#window.add(await this.outbox.page(from, to), to, performance.now());
  }

  #publishReady(): void {
    const now = performance.now();
    // A process that was frozen finds out here, before it sends anything.
    if (now >= this.#leaseEndsAt) this.#obstacle ??= { is: 'lost' };
    if (this.#isOver) return;
    for (const entry of this.#window.take(now, this.settings.inFlight - this.#inFlight)) {
      this.#inFlight++;
      void this.#publish(entry);
    }
  }

  async #publish(entry: Entry): Promise<void> {
    try {
      const sent = await this.sender.send(entry.message, entry.attempts);
      if (sent.is === 'settled') this.#window.settle(entry, performance.now());
      else if (sent.is === 'refused')
        this.#window.retry(entry, sent.attempts, performance.now() + sent.againInMs);
      this.#note(sent);
    } catch (error) {
      this.#obstacle ??= { is: 'failed', error };
    }
    this.#inFlight--;
    this.#publishReady();
    this.#changed();
  }

  #note({ is }: Sent): void {
    if (is === 'unreachable' || is === 'lost') this.#obstacle ??= { is };
  }

  /** The cursor is moved when a page is settled or some time has passed, not for every message. */
  get #advanceIn(): number {
    const settled = this.#window.settledTo - this.#cursor;
    if (settled === 0 || !this.#mayWrite) return Number.POSITIVE_INFINITY;
    return settled >= this.settings.pageSize ? 0 : this.#advancedAt + advanceEveryMs - performance.now();
  }

  async #advance(): Promise<void> {
    const to = this.#window.settledTo;
    const now = performance.now();
    failpoint('outbox-before-advance');
    const advanced = await this.outbox.advance(this.#cursor, to, this.settings.leaseMs);
    failpoint('outbox-after-advance');
    this.#advancedAt = performance.now();
    if (!advanced) {
      this.#obstacle = { is: 'lost' };
      return;
    }
    this.#cursor = to;
    this.#leaseEndsAt = now + this.settings.leaseMs;
  }

  /** Counted from before the question, so that we never believe in the lease for longer than the store does. */
  async #renew(): Promise<Turn> {
    const now = performance.now();
    const turn = await this.outbox.turn(this.settings.leaseMs);
    if (turn.held) this.#leaseEndsAt = now + this.settings.leaseMs;
    return turn;
  }

  get #renewIn(): number {
    if (!this.#mayWrite) return Number.POSITIVE_INFINITY;
    return this.#leaseEndsAt - this.settings.leaseMs / 2 - performance.now();
  }

  async #keepLease(): Promise<void> {
    if (this.#renewIn > 0) return;
    if (!(await this.#renew()).held) this.#obstacle = { is: 'lost' };
  }

  get #retryIn(): number {
    const busy = this.#isOver || this.#inFlight >= this.settings.inFlight;
    return busy ? Number.POSITIVE_INFINITY : this.#window.nextDueAt - performance.now();
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
