import {
  BothVisits,
  type Observed,
  type Observer,
  type Part,
  type Visit,
} from '../../runtime/request/observer.js';
import type { TransportName } from '../../contracts/mutation-context.js';
import type { RequestContext } from '../../runtime/request/request-context.js';
import { type LifecycleAggregate, LifecycleCounts } from '../lifecycle/lifecycle-counts.js';
import { InspectionFeed, type FeedOptions } from './inspection-feed.js';
import {
  type AnsweredRequest,
  type AnswerObserver,
  commandOf,
  isHostPage,
} from '../http/answered-request.js';
import { type RequestOutcome, type RequestRecord, RequestRecorder } from './request-recorder.js';
import { searchFor } from './request-search.js';
import { RingBuffer } from './ring-buffer.js';
import {
  type Recorded,
  type UnstartedCounts,
  UnstartedRecords,
  type UnstartedRequest,
} from './unstarted-records.js';

export interface InspectionOptions extends FeedOptions {
  /** The commands that are counted before their first request. */
  readonly commands?: readonly string[];
  /** How many requests to remember, and as many again that did not complete (default 512). */
  readonly requests?: number;
  /** Keeps the messages and stacks of errors too: for developers. */
  readonly withTexts?: boolean;
  /** Keeps the bodies of commands too, as this shows them: for developers. */
  readonly bodyOf?: (type: string, command: object) => unknown;
}

interface RequestSearch {
  /** As `searchFor` understands it. */
  readonly text?: string;
  readonly outcome?: RequestOutcome;
  readonly limit?: number;
}

/** What can be observed of a host's requests. */
export class Inspection implements Observer, AnswerObserver {
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
  /** In no order: one that ends gives its place to the last one. */
  readonly #inFlight: RequestRecorder[] = [];
  readonly #unstarted: UnstartedRecords;
  readonly #newRecorder: () => RequestRecorder;
  readonly #host: string;
  readonly #bodyOf: InspectionOptions['bodyOf'];
  #crashed = 0;

  constructor(options: InspectionOptions) {
    this.#host = options.host;
    this.#bodyOf = options.bodyOf;
    this.feed = new InspectionFeed(options);
    const { requests = 512, withTexts = false, commands = [] } = options;
    for (const command of commands) this.#countsOf(command);
    this.#completed = new RingBuffer(requests);
    this.#others = new RingBuffer(requests);
    this.#unstarted = new UnstartedRecords(2048, withTexts);
    this.#newRecorder = () => new RequestRecorder(withTexts, (recorder) => this.#keep(recorder));
  }

  entered(part: Part, { type, command, context }: Observed): Visit | undefined {
    if (part !== 'lifecycle') {
      if (this.#bodyOf !== undefined && part === 'handler') this.#keepBody(type, command, context);
      return this.feed.trace(requestOf(context).messageId)?.entered(part, type);
    }
    const trace = this.feed.open(context.messageId, type);
    const recorder = this.#reusable.pop() ?? this.#newRecorder();
    recorder.begin(this.#countsOf(type), context);
    recorder.place = this.#inFlight.push(recorder) - 1;
    if (this.#bodyOf !== undefined) this.#keepBody(type, command, context);
    return trace === undefined ? recorder : new BothVisits(recorder, trace.entered(part, type));
  }

  /** What watches a host is not what is watched. */
  left({ request, correlation, status, problem, isRecorded, field }: AnsweredRequest): void {
    if (isRecorded || isHostPage(request.url)) return;
    const transport = transports.get(request.routeOptions.url) ?? 'rest';
    const command = field ?? commandOf(request);
    this.addUnstarted({ correlation, command, transport, status, problem });
  }

  /** A request was answered without a lifecycle. */
  addUnstarted(request: UnstartedRequest): void {
    this.#unstarted.add(request);
  }

  /** What the aggregates do not count, and the failures that are an error of the service. */
  get counts(): UnstartedCounts {
    const { crashed, ...others } = this.#unstarted.counts;
    return { ...others, crashed: crashed + this.#crashed };
  }

  /** Requests that have been running this long, oldest first. */
  inFlight(sinceMs: number, limit: number): readonly RequestRecord[] {
    const latest = performance.now() - sinceMs;
    return this.#inFlight
      .filter(({ startedMs }) => startedMs < latest)
      .sort((one, other) => one.startedMs - other.startedMs)
      .slice(0, limit)
      .map((one) => one.record());
  }

  /** Counts and durations by command, state and edge since the start. */
  aggregates(): readonly LifecycleAggregate[] {
    return [...this.#counts.values()].map((counts) => counts.aggregate());
  }

  /** The latest ended requests, newest first. */
  requests({ text = '', outcome, limit = 100 }: RequestSearch = {}): readonly RequestRecord[] {
    const isWanted = searchFor(text);
    const found: RequestRecord[] = [];
    for (const recorder of this.#newestFirst()) {
      if (found.length >= limit) break;
      const record = recorder.record();
      if (outcome !== undefined && record.outcome !== outcome) continue;
      if (isWanted(record, this.#host)) found.push(record);
    }
    return found;
  }

  request(id: string): RequestRecord | undefined {
    const running = this.#inFlight.find((recorder) => recorder.id === id);
    if (running !== undefined) return running.record();
    const ended = this.#newestFirst().map((recorder) => recorder.record());
    return ended.find((record) => record.id === id);
  }

  /** A request that is mapped to its command has none before its handler. */
  #keepBody(type: string, command: object | undefined, context: RequestContext): void {
    const { messageId } = requestOf(context);
    const recorder = this.#inFlight.find(({ id }) => id === messageId);
    if (command !== undefined && recorder?.command === type)
      recorder.body ??= recordedBody(() => this.#bodyOf?.(type, command));
  }

  #newestFirst(): Recorded[] {
    return [
      ...this.#completed.newestFirst(),
      ...this.#others.newestFirst(),
      ...this.#unstarted.records(),
    ].sort((one, other) => other.startedMs - one.startedMs);
  }

  #keep(recorder: RequestRecorder): void {
    const last = this.#inFlight.pop();
    if (last !== undefined && last !== recorder) {
      last.place = recorder.place;
      this.#inFlight[recorder.place] = last;
    }
    if (recorder.isCrash) this.#crashed++;
    const oldest = (recorder.outcome === 'completed' ? this.#completed : this.#others).add(recorder);
    if (oldest !== undefined && this.#reusable.length < this.#completed.capacity) this.#reusable.push(oldest);
  }

  #countsOf(command: string): LifecycleCounts {
    const known = this.#counts.get(command);
    if (known !== undefined) return known;
    const counts = new LifecycleCounts(command);
    this.#counts.set(command, counts);
    return counts;
  }
}

/** The transports with one route for everything. */
const transports: ReadonlyMap<string | undefined, TransportName> = new Map([
  ['/graphql', 'graphql'],
  ['/mcp', 'mcp'],
]);

/** The context of the request that a command belongs to. */
function requestOf(context: RequestContext): RequestContext {
  let first = context;
  for (let { cause } = first; cause !== undefined; { cause } = first) first = cause;
  return first;
}

const longestBody = 4_000;

/** The body of a command as JSON, cut; undefined if it has no form in JSON. */
export function recordedBody(body: () => unknown): string | undefined {
  try {
    const text = JSON.stringify(body()) as string | undefined;
    if (text === undefined || text.length <= longestBody) return text;
    return `${text.slice(0, longestBody)} … (${text.length - longestBody} more characters)`;
  } catch {
    // Observing must not fail.
    return undefined;
  }
}
