import { TokenBucket } from './token-bucket.js';
import { Trace } from './trace.js';

export interface FeedOptions {
  /** Stands before every id, so that several hosts can be seen at once. */
  readonly host: string;
  /** How many requests are recorded in a second (default 20). */
  readonly tracesPerSecond?: number;
  /** How many are kept (default 512). */
  readonly traces?: number;
  /** How much they may weigh together (default 8 MiB). */
  readonly traceBytes?: number;
  /** How much of one request is recorded (default 256 frames). */
  readonly framesPerTrace?: number;
}

export interface FeedCounts {
  readonly attached: number;
  /** Requests that were recorded. */
  readonly traced: number;
  /** Requests that were not, because there were too many in that second. */
  readonly skipped: number;
  /** Recorded requests that had to make room. */
  readonly evicted: number;
  /** Frames that somebody attached did not get, or that were too many for one request. */
  readonly dropped: number;
}

export type FrameListener = (frame: string) => void;

/** Where those who look get frames from: one host, or several. */
export interface FrameSource {
  has(host: string): boolean;
  /** Tells what was recorded last, as much as fits, then what happens, of one host or of all there are; the function ends it. */
  follow(host: string | undefined, listener: FrameListener, replayBytes: number): () => void;
  /** Somebody did not get so many frames. */
  missed(frames: number): void;
}

/** Records requests in Stately's inspection protocol while somebody is attached, and only so many. */
export class InspectionFeed implements FrameSource {
  readonly #listeners = new Set<FrameListener>();
  readonly #traces = new Map<string, Trace>();
  readonly #bucket: TokenBucket;
  #bytes = 0;
  #traced = 0;
  #skipped = 0;
  #evicted = 0;
  #dropped = 0;

  constructor(private readonly options: FeedOptions) {
    this.#bucket = new TokenBucket(options.tracesPerSecond ?? 20);
  }

  has(host: string): boolean {
    return host === this.options.host;
  }

  follow(_: string | undefined, listener: FrameListener, replayBytes: number): () => void {
    for (const frame of this.replay(replayBytes)) listener(frame);
    return this.attach(listener);
  }

  /** From now on requests are recorded, and the listener hears their frames; the function detaches it. */
  attach(listener: FrameListener): () => void {
    // One that attaches twice is attached twice.
    const own: FrameListener = (frame) => {
      listener(frame);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  /** The trace that a request about to begin is recorded in, if it is. */
  open(id: string, command: string): Trace | undefined {
    if (this.#listeners.size === 0) return undefined;
    if (!this.#bucket.take(performance.now())) {
      this.#skipped++;
      return undefined;
    }
    const { host, framesPerTrace: maxFrames = 256 } = this.options;
    const trace = new Trace({ host, id, command, maxFrames, publish: this.#publish });
    this.#traces.set(id, trace);
    this.#traced++;
    this.#makeRoom();
    return trace;
  }

  trace(id: string): Trace | undefined {
    return this.#traces.get(id);
  }

  /** What was recorded last, as many whole requests as fit, in the order it happened. */
  replay(maxBytes: number): readonly string[] {
    const fitting: Trace[] = [];
    let bytes = 0;
    for (const trace of [...this.#traces.values()].reverse()) {
      bytes += trace.bytes;
      if (bytes > maxBytes) break;
      fitting.push(trace);
    }
    return fitting.reverse().flatMap(({ frames }) => frames);
  }

  missed(frames: number): void {
    this.#dropped += frames;
  }

  counts(): FeedCounts {
    const tooMany = [...this.#traces.values()].reduce((sum, { dropped }) => sum + dropped, 0);
    return {
      attached: this.#listeners.size,
      traced: this.#traced,
      skipped: this.#skipped,
      evicted: this.#evicted,
      dropped: this.#dropped + tooMany,
    };
  }

  readonly #publish = (frame: string, trace: Trace): void => {
    if (this.#traces.get(trace.id) === trace) this.#bytes += frame.length;
    for (const listener of this.#listeners) listener(frame);
  };

  #makeRoom(): void {
    const { traces = 512, traceBytes = 8 << 20 } = this.options;
    for (const [id, { bytes, dropped }] of this.#traces) {
      if (this.#traces.size <= traces && this.#bytes <= traceBytes) return;
      this.#traces.delete(id);
      this.#bytes -= bytes;
      this.#dropped += dropped;
      this.#evicted++;
    }
  }
}
