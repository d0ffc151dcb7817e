import type { RequestContext } from '../../runtime/request-context.js';
import { type LifecycleAggregate, LifecycleCounts } from '../lifecycle/lifecycle-counts.js';
import type { RequestWatch } from '../lifecycle/lifecycle.js';
import { InspectionFeed, type FeedOptions } from './inspection-feed.js';
import { RequestRecorder } from './request-recorder.js';
import type { RequestRecord } from './request-record.js';
import { RingBuffer } from './ring-buffer.js';
import type { TraceStep } from './request-trace.js';

export interface InspectionOptions extends FeedOptions {
  /** How many requests to remember, and as many again that did not complete (default 512). */
  readonly requests?: number;
}

export interface RequestSearch {
  /** Matches part of an id, a command, or the name or code of an error; case-insensitive. */
  readonly text?: string;
  readonly outcome?: RequestRecord['outcome'];
  readonly limit?: number;
}

/** One recorded request: its frames in Stately's protocol, and the messages between its parts. */
export interface RequestTrace {
  readonly id: string;
  readonly command: string;
  readonly steps: readonly TraceStep[];
  readonly frames: readonly unknown[];
}

/** What can be observed of a host's requests. */
export class Inspection {
  /** Records complete requests while a listener is attached. */
  readonly feed: InspectionFeed;
  readonly #counts = new Map<string, LifecycleCounts>();
  readonly #completed: RingBuffer<RequestRecorder>;
  /** Kept apart, so that successful requests do not evict failures. */
  readonly #others: RingBuffer<RequestRecorder>;
  /**
   * Evicted recorders for reuse, at most as many as are remembered: objects that live for hundreds of requests are
   * expensive to allocate.
   */
  readonly #reusable: RequestRecorder[] = [];
  readonly #keep = (recorder: RequestRecorder): void => {
    const oldest = (recorder.outcome === 'completed' ? this.#completed : this.#others).add(recorder);
    if (oldest !== undefined && this.#reusable.length < this.#completed.capacity) this.#reusable.push(oldest);
  };

  constructor(options: InspectionOptions) {
    this.feed = new InspectionFeed(options);
    const { requests = 512 } = options;
    this.#completed = new RingBuffer(requests);
    this.#others = new RingBuffer(requests);
  }

  /** Called by an endpoint for every request of this command. */
  watch(command: string): (context: RequestContext) => RequestWatch {
    const counts = this.#countsOf(command);
    return (context) => {
      const trace = this.feed.open(context.messageId, command);
      context.trace = trace;
      const recorder = this.#reusable.pop() ?? new RequestRecorder(this.#keep);
      recorder.begin(counts, context, trace?.inspect);
      return recorder;
    };
  }

  /** Counts and durations by command, state and edge since the start. */
  aggregates(): readonly LifecycleAggregate[] {
    return [...this.#counts.values()].map((counts) => counts.aggregate());
  }

  /** The latest ended requests, newest first. */
  requests({ text = '', outcome, limit = 100 }: RequestSearch = {}): readonly RequestRecord[] {
    const wanted = text.toLowerCase();
    const found: RequestRecord[] = [];
    for (const recorder of this.#newestFirst()) {
      if (found.length >= limit) break;
      if (outcome !== undefined && recorder.outcome !== outcome) continue;
      const record = recorder.record();
      if (mentions(record, wanted)) found.push(record);
    }
    return found;
  }

  request(id: string): RequestRecord | undefined {
    return this.#newestFirst()
      .find((recorder) => recorder.id === id)
      ?.record();
  }

  /** Undefined when the request was not recorded, or its recording was evicted. */
  trace(id: string): RequestTrace | undefined {
    const trace = this.feed.trace(id);
    if (trace === undefined) return undefined;
    const { command, steps, frames } = trace;
    return { id, command, steps, frames: frames.map((frame): unknown => JSON.parse(frame)) };
  }

  #newestFirst(): RequestRecorder[] {
    return [...this.#completed.newestFirst(), ...this.#others.newestFirst()].sort(
      (one, other) => other.startedMs - one.startedMs,
    );
  }

  #countsOf(command: string): LifecycleCounts {
    const known = this.#counts.get(command);
    if (known !== undefined) return known;
    const counts = new LifecycleCounts(command);
    this.#counts.set(command, counts);
    return counts;
  }
}

function mentions(record: RequestRecord, wanted: string): boolean {
  if (wanted === '') return true;
  const { id, correlationId, traceId = '', command, error } = record;
  return [id, correlationId, traceId, command, error?.name ?? '', error?.code ?? ''].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}
