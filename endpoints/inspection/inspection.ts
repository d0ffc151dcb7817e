import type { RequestContext } from '../../runtime/request-context.js';
import { type LifecycleAggregate, LifecycleCounts } from '../lifecycle/aggregates.js';
import type { RequestWatch } from '../lifecycle/lifecycle.js';
import { Feed, type FeedOptions } from './feed.js';
import { Passage } from './passage.js';
import type { RequestSummary } from './request-summary.js';
import { Ring } from './ring.js';
import type { TraceStep } from './trace.js';

export interface InspectionOptions extends FeedOptions {
  /** How many requests are remembered, and as many that did not complete (default 512). */
  readonly requests?: number;
}

export interface RequestSearch {
  /** Part of an id, a command or the name or code of an error, in any case of letters. */
  readonly text?: string;
  readonly outcome?: RequestSummary['outcome'];
  readonly limit?: number;
}

/** One recorded request: its frames in Stately's protocol, and the messages between its parts. */
export interface RequestTrace {
  readonly id: string;
  readonly command: string;
  readonly steps: readonly TraceStep[];
  readonly frames: readonly unknown[];
}

/** What can be seen of a host's requests. */
export class Inspection {
  /** Records requests in full while somebody is attached. */
  readonly feed: Feed;
  readonly #counts = new Map<string, LifecycleCounts>();
  readonly #completed: Ring<Passage>;
  /** Apart, so that what went wrong is not washed away by what went well. */
  readonly #others: Ring<Passage>;
  /** Those that had to go, to be used again: what lives for hundreds of requests is dear to allocate. No more than are remembered. */
  readonly #spare: Passage[] = [];
  readonly #keep = (passage: Passage): void => {
    const oldest = (passage.outcome === 'completed' ? this.#completed : this.#others).add(passage);
    if (oldest !== undefined && this.#spare.length < this.#completed.capacity) this.#spare.push(oldest);
  };

  constructor(options: InspectionOptions) {
    this.feed = new Feed(options);
    const { requests = 512 } = options;
    this.#completed = new Ring(requests);
    this.#others = new Ring(requests);
  }

  /** What an endpoint asks for every request of this command. */
  watch(command: string): (context: RequestContext) => RequestWatch {
    const counts = this.#countsOf(command);
    return (context) => {
      const trace = this.feed.open(context.messageId, command);
      context.trace = trace;
      const passage = this.#spare.pop() ?? new Passage(this.#keep);
      passage.begin(counts, context, trace?.inspect);
      return passage;
    };
  }

  /** Counts and durations by command, state and edge since the start. */
  aggregates(): readonly LifecycleAggregate[] {
    return [...this.#counts.values()].map((counts) => counts.aggregate());
  }

  /** The latest requests that have ended, newest first. */
  requests({ text = '', outcome, limit = 100 }: RequestSearch = {}): readonly RequestSummary[] {
    const wanted = text.toLowerCase();
    const found: RequestSummary[] = [];
    for (const passage of this.#newestFirst()) {
      if (found.length >= limit) break;
      if (outcome !== undefined && passage.outcome !== outcome) continue;
      const summary = passage.summary();
      if (mentions(summary, wanted)) found.push(summary);
    }
    return found;
  }

  request(id: string): RequestSummary | undefined {
    return this.#newestFirst()
      .find((passage) => passage.id === id)
      ?.summary();
  }

  /** Undefined when the request was not recorded, or its recording had to make room. */
  trace(id: string): RequestTrace | undefined {
    const trace = this.feed.trace(id);
    if (trace === undefined) return undefined;
    const { command, steps, frames } = trace;
    return { id, command, steps, frames: frames.map((frame): unknown => JSON.parse(frame)) };
  }

  #newestFirst(): Passage[] {
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

function mentions(summary: RequestSummary, wanted: string): boolean {
  if (wanted === '') return true;
  const { id, correlationId, traceId = '', command, error } = summary;
  return [id, correlationId, traceId, command, error?.name ?? '', error?.code ?? ''].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}
