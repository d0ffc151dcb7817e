import type { LifecycleEnd, Observer, Visit } from './observer.js';
import { type CommandRun, runOf } from './request-context.js';
import type { SpanPurpose, TraceSpan } from '../tracing/tracing.js';

/** Makes spans for the states of a lifecycle, its handler and its commit, if the request has a span. */
export const spans: Observer = {
  entered: (part, { context, handlerName = '' }) => {
    const run = runOf(context);
    if (run.span === undefined) return undefined;
    if (part === 'lifecycle') return new StateSpans(run, run.span);
    const isStore = part === 'store';
    return new PartSpan(run, run.span, isStore ? 'append' : handlerName, isStore ? 'client' : 'internal');
  },
};

/** The current span: everything stored meanwhile carries its trace. */
class PartSpan implements Visit {
  readonly #span: TraceSpan;

  constructor(
    private readonly run: CommandRun,
    private readonly outer: TraceSpan,
    name: string,
    purpose: SpanPurpose,
  ) {
    this.#span = run.span = outer.child(name, purpose);
  }

  readonly within = <T>(work: () => T): T => this.#span.within(work);

  /**
   * A handler that its request no longer waits for may end during a later state; the span of that state stays current.
   */
  left(end: LifecycleEnd<unknown>): void {
    const isCurrent = this.run.span === this.#span;
    this.#end('error' in end ? { error: end.error } : undefined, isCurrent ? this.outer : this.run.span);
  }

  /** Anything still open inside it belongs to no later state. */
  ended(failure: { readonly error: unknown } | undefined): void {
    this.#end(failure, this.outer);
  }

  #end(failure: { readonly error: unknown } | undefined, current: TraceSpan | undefined): void {
    this.run.span = current;
    if (failure === undefined) this.#span.end();
    else this.#span.fail(failure.error);
  }
}

const outcomes: ReadonlySet<string> = new Set<LifecycleEnd<unknown>['outcome']>([
  'completed',
  'recovered',
  'cancelled',
  'failed',
]);

/** One span after the other. */
class StateSpans implements Visit {
  #state: PartSpan | undefined;

  constructor(
    private readonly run: CommandRun,
    private readonly outer: TraceSpan,
  ) {}

  readonly within = <T>(work: () => T): T => (this.#state === undefined ? work() : this.#state.within(work));

  moved(event: string, to: string, error: unknown): void {
    this.#state?.ended(event === 'failed' ? { error } : undefined);
    this.#state = outcomes.has(to) ? undefined : new PartSpan(this.run, this.outer, to, 'internal');
  }
}
