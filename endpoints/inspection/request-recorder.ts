import type { TransportName } from '../../contracts/mutation-context.js';
import type { LifecycleEnd, Visit } from '../../runtime/request/observer.js';
import type { RequestContext } from '../../runtime/request/request-context.js';
import { LifecycleCounts } from '../lifecycle/lifecycle-counts.js';
import {
  edgeNumber,
  type LifecycleOutcome,
  type LifecycleState,
  stateNumber,
  workingStates,
} from '../lifecycle/lifecycle-machine.js';
import { problemOf } from '../problem.js';
import { type RecordedError, recordError } from './recorded-error.js';

/** How a request ended: the final state of its lifecycle, or, before it began, `rejected` or `replayed`. */
export type RequestOutcome = LifecycleOutcome | 'rejected' | 'replayed' | 'running';

/** What is kept of a request: its ids, states and times; its content only where developers alone look. */
export interface RequestRecord {
  readonly id: string;
  readonly correlationId: string;
  readonly traceId: string | undefined;
  readonly command: string;
  readonly transport: TransportName;
  readonly outcome: RequestOutcome;
  readonly status: number | undefined;
  readonly failedIn: LifecycleState | undefined;
  readonly error: RecordedError | undefined;
  readonly startedAt: string;
  readonly ms: number;
  readonly states: readonly (readonly [state: LifecycleState, ms: number])[];
  /** Its command as JSON, without sensitive values. */
  readonly body?: string | undefined;
}

const noCounts = new LifecycleCounts('');

/** One request in the lifecycle; the recorder is reused when its record is no longer reachable. */
export class RequestRecorder implements Visit {
  /** Among the requests that are in flight. */
  place = 0;
  id = '';
  correlationId = '';
  traceparent: string | undefined;
  transport: TransportName = 'local';
  startedMs = 0;
  /** Kept where developers alone look. */
  body: string | undefined;
  #counts = noCounts;
  #enteredMs = 0;
  #state = 0;
  /** Microseconds in each working state; −1 where it never was. */
  readonly #spent = [-1, -1, -1, -1, -1, -1];
  #end: RequestOutcome = 'running';
  #status: number | undefined;
  #failedIn: LifecycleState | undefined;
  #error: RecordedError | undefined;
  #context: Pick<RequestContext, 'secrets'> | undefined;

  constructor(
    private readonly withTexts: boolean,
    private readonly ended: (recorder: RequestRecorder) => void,
  ) {}

  begin(counts: LifecycleCounts, context: RequestContext): void {
    this.id = context.messageId;
    this.correlationId = context.correlationId;
    this.traceparent = context.traceparent;
    this.transport = context.transport;
    this.body = undefined;
    this.startedMs = this.#enteredMs = performance.now();
    this.#state = 0;
    this.#spent.fill(-1);
    this.#end = 'running';
    this.#status = this.#failedIn = this.#error = undefined;
    this.#context = context;
    this.#counts = counts;
    counts.begin();
  }

  get command(): string {
    return this.#counts.command;
  }

  get outcome(): RequestOutcome {
    return this.#end;
  }

  /** Whether it failed with an error of the service, rather than with a refusal. */
  get isCrash(): boolean {
    return this.#end === 'failed' && (this.#status ?? 0) >= 500;
  }

  moved(trigger: string, to: string): void {
    const from = this.#state;
    // The check reads one flag: reading the clock would cost more.
    const now = from === 0 ? this.#enteredMs : performance.now();
    const us = Math.round((now - this.#enteredMs) * 1000);
    this.#enteredMs = now;
    this.#spent[from] = us;
    this.#state = stateNumber(to);
    this.#counts.count(edgeNumber(from, trigger, to), us);
  }

  left(end: LifecycleEnd<unknown>): void {
    this.#end = end.outcome;
    if ('result' in end) this.#status = end.result === undefined ? 204 : 200;
    if (end.outcome !== 'completed') this.#noteFailure(end);
    this.#context = undefined;
    this.ended(this);
  }

  record(): RequestRecord {
    const isRunning = this.#end === 'running';
    const untilMs = isRunning ? performance.now() : this.#enteredMs;
    const states = workingStates.flatMap((state, number): [LifecycleState, number][] => {
      if (isRunning && number === this.#state) return [[state, rounded(untilMs - this.#enteredMs)]];
      const us = this.#spent[number] ?? -1;
      return us < 0 ? [] : [[state, us / 1000]];
    });
    return {
      id: this.id,
      correlationId: this.correlationId,
      traceId: this.traceparent?.slice(3, 35),
      command: this.command,
      transport: this.transport,
      outcome: this.#end,
      status: this.#status,
      failedIn: this.#failedIn,
      error: this.#error,
      startedAt: new Date(performance.timeOrigin + this.startedMs).toISOString(),
      ms: rounded(untilMs - this.startedMs),
      states,
      body: this.body,
    };
  }

  #noteFailure(end: Exclude<LifecycleEnd<unknown>, { readonly outcome: 'completed' }>): void {
    const isRecovered = end.outcome === 'recovered';
    const error = isRecovered ? end.from : end.error;
    this.#failedIn = isRecovered ? 'dispatching' : end.in;
    if (!isRecovered) this.#status = end.in === 'after' ? 500 : problemOf(error).status;
    this.#error = recordError(error, this.withTexts, this.#context?.secrets);
  }
}

/** Microseconds are enough. */
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;
