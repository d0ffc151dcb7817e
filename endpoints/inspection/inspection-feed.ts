import { TokenBucket } from './token-bucket.js';
import type { MovedActor } from '../../actors/steps/moved-actor.js';
import { framesOfSteps } from './frames.js';
import { Trace } from './request-trace.js';

export interface FeedOptions {
  /** The prefix of every id, so that several hosts can be shown together. */
  readonly host: string;
  /** How many requests to record, and steps of others to show, per second (default 20). */
  readonly tracesPerSecond?: number;
  /** How many to keep (default 512). */
  readonly traces?: number;
  /** The total size to keep (default 8 MiB). */
  readonly traceBytes?: number;
  /** How much of one request to record (default 256 frames). */
  readonly framesPerTrace?: number;
}

export type FrameListener = (frame: string) => void;

/** A source of frames: one host, or several. */
export interface FrameSource {
  has(host: string): boolean;
  /** Sends the latest recordings that fit, then new frames, of one host or all; returns what stops it. */
  follow(host: string | undefined, listener: FrameListener, replayBytes: number): () => void;
  /** Counts frames that a listener did not get. */
  missed(frames: number): void;
}

/** Records requests in Stately's inspection protocol while a listener is attached, up to the rate limit. */
export class InspectionFeed implements FrameSource {
  readonly #listeners = new Set<FrameListener>();
  readonly #traces = new Map<string, Trace>();
  readonly #bucket: TokenBucket;
  readonly #steps: TokenBucket;
  #bytes = 0;
  #dropped = 0;

  constructor(private readonly options: FeedOptions) {
    this.#bucket = new TokenBucket(options.tracesPerSecond ?? 20);
    this.#steps = new TokenBucket(options.tracesPerSecond ?? 20);
  }

  has(host: string): boolean {
    return host === this.options.host;
  }

  follow(_: string | undefined, listener: FrameListener, replayBytes: number): () => void {
    for (const frame of this.replay(replayBytes)) listener(frame);
    return this.attach(listener);
  }

  /** Starts recording, and passes the frames to the listener; returns a function that detaches it. */
  attach(listener: FrameListener): () => void {
    // A listener that attaches twice is attached twice.
    const own: FrameListener = (frame) => {
      listener(frame);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  /** The trace for a request that is about to begin, if it is recorded. */
  open(id: string, command: string): Trace | undefined {
    if (this.#listeners.size === 0) return undefined;
    if (!this.#bucket.take(performance.now())) return undefined;
    const { host, framesPerTrace: maxFrames = 256 } = this.options;
    const trace = new Trace({ host, id, command, maxFrames, publish: this.#publish });
    this.#traces.set(id, trace);
    this.#makeRoom();
    return trace;
  }

  /** A step of a process or of a request of an effect; not recorded, so that requests do not have to make room for it. */
  showActor(actor: MovedActor): void {
    if (this.#listeners.size === 0 || !this.#steps.take(performance.now())) return;
    for (const frame of framesOfSteps(this.options.host, actor))
      for (const listener of this.#listeners) listener(frame);
  }

  trace(id: string): Trace | undefined {
    return this.#traces.get(id);
  }

  /** The latest recordings, as many complete requests as fit, in order. */
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

  get attached(): number {
    return this.#listeners.size;
  }

  /** Frames that a listener did not get, or that exceeded the limit of one request. */
  get dropped(): number {
    return [...this.#traces.values()].reduce((sum, { dropped }) => sum + dropped, this.#dropped);
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
    }
  }
}
