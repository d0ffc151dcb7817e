import { RingBuffer } from '../../../../endpoints/inspection/ring-buffer.js';
import type { Counts, PastCounts } from '../../model/recent-counts.js';

const everyMs = 1_000;
/** As long as the chart of the page. */
const kept = 91;

/** Counts of the last minute and a half, taken whether a page is open or not: a page that opens shows them. */
export class CountsHistory {
  readonly #taken = new RingBuffer<{ readonly at: number; readonly counts: Counts }>(kept);
  readonly #timer = setInterval(() => this.take(), everyMs).unref();

  constructor(
    private readonly read: () => Counts,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.take();
  }

  take(): void {
    const { requests, failed, crashed, rejected, replayed } = this.read();
    this.#taken.add({ at: this.now(), counts: { requests, failed, crashed, rejected, replayed } });
  }

  /** Oldest first. */
  list(): readonly PastCounts[] {
    const now = this.now();
    return [...this.#taken.newestFirst()]
      .reverse()
      .map(({ at, counts }) => ({ ...counts, agoMs: Math.round(now - at) }));
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
