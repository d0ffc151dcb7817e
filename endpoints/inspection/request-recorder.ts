import type { TransportName } from '../../contracts/mutation-context.js';
import type { RequestContext } from '../../runtime/request-context.js';
import { LifecycleCounts } from '../lifecycle/lifecycle-counts.js';
import { edgeNumber, stateNumber, type Trigger, workingStates } from '../lifecycle/edges.js';
import type { Inspect, LifecycleEnd, RequestWatch } from '../lifecycle/lifecycle.js';
import type { LifecycleOutcome, LifecycleState } from '../lifecycle/lifecycle-machine.js';
import { redactError } from './redacted-error.js';
import type { RequestRecord } from './request-record.js';

/** The counts of a recorder that has not begun. */
const noCounts = new LifecycleCounts('');

/** One request in the lifecycle; the recorder is reused when its record is no longer reachable. */
export class RequestRecorder implements RequestWatch {
  id = '';
  correlationId = '';
  traceparent: string | undefined;
  transport: TransportName = 'local';
  startedMs = 0;
  inspect: Inspect | undefined;
  #traced = false;
  #counts = noCounts;
  #enteredMs = 0;
  #state = 0;
  /** Microseconds in each working state; −1 where it never was. */
  readonly #spent = [-1, -1, -1, -1, -1, -1];
  #end: LifecycleEnd<unknown>['outcome'] = 'failed';
  #failedIn: LifecycleState | undefined;
  #error: RequestRecord['error'];

  constructor(private readonly keep: (recorder: RequestRecorder) => void) {}

  begin(counts: LifecycleCounts, context: RequestContext, inspect: Inspect | undefined): void {
    this.id = context.messageId;
    this.correlationId = context.correlationId;
    this.traceparent = context.traceparent;
    this.transport = context.transport;
    this.inspect = inspect;
    this.#traced = inspect !== undefined;
    this.startedMs = this.#enteredMs = performance.now();
    this.#state = 0;
    this.#spent.fill(-1);
    this.#end = 'failed';
    this.#failedIn = this.#error = undefined;
    this.#counts = counts;
    counts.begin();
  }

  get command(): string {
    return this.#counts.command;
  }

  get outcome(): LifecycleOutcome {
    return this.#end;
  }

  moved(trigger: Trigger, to: LifecycleState): void {
    const from = this.#state;
    // The check reads one flag: reading the clock would cost more.
    const now = from === 0 ? this.#enteredMs : performance.now();
    const us = Math.round((now - this.#enteredMs) * 1000);
    this.#enteredMs = now;
    this.#spent[from] = us;
    this.#state = stateNumber(to);
    this.#counts.take(edgeNumber(from, trigger, this.#state), us);
  }

  ended(end: LifecycleEnd<unknown>): void {
    this.#end = end.outcome;
    if (end.outcome !== 'completed') this.#noteFailure(end);
    // The recording has its own lifetime.
    this.inspect = undefined;
    this.keep(this);
  }

  record(): RequestRecord {
    const states = workingStates.flatMap((state, number): [LifecycleState, number][] => {
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
      failedIn: this.#failedIn,
      error: this.#error,
      startedAt: new Date(performance.timeOrigin + this.startedMs).toISOString(),
      ms: Math.round((this.#enteredMs - this.startedMs) * 1000) / 1000,
      states,
      traced: this.#traced,
    };
  }

  #noteFailure(end: Exclude<LifecycleEnd<unknown>, { readonly outcome: 'completed' }>): void {
    this.#failedIn = end.outcome === 'recovered' ? 'dispatching' : end.in;
    this.#error = redactError(end.outcome === 'recovered' ? end.from : end.error);
  }
}
