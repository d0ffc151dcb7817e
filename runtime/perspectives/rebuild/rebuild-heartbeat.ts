import { Worker } from 'node:worker_threads';
import type { Uuid } from '../../../contracts/scalars.js';
import { log } from '../../logging/log.js';
import type { RebuildRecord } from './rebuild-record.js';

interface Counts {
  readonly events: number;
  readonly streams: number;
  readonly totalStreams: number;
}

/** The counts of a rebuild in memory that two threads share: also while one of them is blocked. */
export class SharedCounts {
  static readonly bytes = 4 * BigInt64Array.BYTES_PER_ELEMENT;
  readonly #cells: BigInt64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#cells = new BigInt64Array(memory);
  }

  /** The event loop runs. */
  beat(): void {
    Atomics.add(this.#cells, 0, 1n);
  }

  set({ events, streams, totalStreams }: Counts): void {
    for (const [index, count] of [events, streams, totalStreams].entries())
      Atomics.store(this.#cells, index + 1, BigInt(count));
  }

  read(): Counts & { readonly beats: number } {
    const [beats = 0, events = 0, streams = 0, totalStreams = 0] = Array.from(this.#cells, Number);
    return { beats, events, streams, totalStreams };
  }
}

/** What the thread is given. */
export interface HeartbeatOrder {
  /** The URL of the owner. */
  readonly url: string;
  readonly record: RebuildRecord;
  /** The worker that holds the lease. */
  readonly worker: Uuid;
  readonly leaseMs: number | undefined;
  readonly memory: SharedArrayBuffer;
}

/** A thread beside a rebuild. While `apply` blocks the event loop, it renews the lease and reports the progress. */
export class RebuildHeartbeat {
  readonly counts: SharedCounts;
  readonly #thread: Worker;

  constructor(order: Omit<HeartbeatOrder, 'memory'>) {
    const memory = new SharedArrayBuffer(SharedCounts.bytes);
    this.counts = new SharedCounts(memory);
    const workerData: HeartbeatOrder = { ...order, memory };
    this.#thread = new Worker(new URL('rebuild-heartbeat-thread.js', import.meta.url), { workerData });
    this.#thread.unref();
    this.#thread.on('error', (err) =>
      log.warn(
        { err, perspective: order.record.name },
        'the heartbeat of a rebuild failed; while apply blocks, no progress is reported',
      ),
    );
  }

  /** What it has begun to store is stored before anything that is stored later, or not at all. */
  async end(): Promise<void> {
    await this.#thread.terminate();
  }
}
