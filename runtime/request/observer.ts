import { isThenable } from '../lang/thenable.js';
import type { RequestContext } from './request-context.js';

/** The parts that a command passes: its lifecycle, if it has an endpoint, its handler, and the store. */
export type Part = 'lifecycle' | 'handler' | 'store';

/** A command in progress. */
export interface Observed {
  /** The name of its class, or of the class that its request is mapped to. */
  readonly type: string;
  /** Undefined until it is created. */
  readonly command: object | undefined;
  readonly context: RequestContext;
  readonly endpoint?: object | undefined;
  readonly handlerName?: string | undefined;
}

export type FailingState = 'checking' | 'mapping' | 'before' | 'dispatching' | 'after' | 'recovering';

/** How a command left a part: a lifecycle in any of these ways, the other parts only `completed` or `failed`. */
export type LifecycleEnd<TResult> =
  | { readonly outcome: 'completed'; readonly result: TResult }
  | { readonly outcome: 'recovered'; readonly result: TResult; readonly from: unknown }
  | {
      readonly outcome: 'cancelled' | 'failed';
      readonly error: unknown;
      readonly in: FailingState;
      /** The error of dispatch, if the error-hook then failed too. */
      readonly from?: unknown;
    };

/** Observes requests; it cannot change them, and must not throw. */
export interface Observer {
  /** Called when a command enters a part. Returns the observer of this visit. */
  entered(part: Part, of: Observed): Visit | undefined;
  /** Called when a command has left its lifecycle; for observers that need nothing else. */
  ended?(of: Observed, end: LifecycleEnd<unknown>): void;
}

/** One command in one part. */
export interface Visit {
  /** Whether the visit is watched: XState's own interpreter then runs the lifecycle. */
  readonly isWatched?: boolean;
  /** Runs the work of the current state; whatever it starts belongs to that state. */
  readonly within?: (<T>(work: () => T) => T) | undefined;
  moved?(event: string, to: string, error?: unknown): void;
  left?(end: LifecycleEnd<unknown>): void;
}

const completed = { outcome: 'completed', result: undefined } as const;
const failed = (error: unknown) => ({ outcome: 'failed', in: 'dispatching', error }) as const;

/** Does the work of a part and reports how it ended. */
export function observed<T>(visit: Visit, work: () => T): T {
  try {
    const result = visit.within === undefined ? work() : visit.within(work);
    if (!isThenable(result)) visit.left?.(completed);
    else
      result.then(
        () => visit.left?.(completed),
        (error: unknown) => visit.left?.(failed(error)),
      );
    return result;
  } catch (error) {
    visit.left?.(failed(error));
    throw error;
  }
}

/** Several observers as one. */
export const fanOut = (...observers: readonly Observer[]): Observer => ({
  entered: (part, of) => {
    let all: Visit | undefined;
    for (const observer of observers) {
      const visit = observer.entered(part, of);
      if (visit !== undefined) all = all === undefined ? visit : new BothVisits(all, visit);
    }
    return all;
  },
  ended: (of, end) => {
    for (const observer of observers) observer.ended?.(of, end);
  },
});

/** Combines the visits of two observers to the same command and part. */
export class BothVisits implements Visit {
  readonly isWatched: boolean;
  readonly within: Visit['within'];

  constructor(
    private readonly first: Visit,
    private readonly second: Visit,
  ) {
    this.isWatched = first.isWatched === true || second.isWatched === true;
    const outer = first.within;
    const inner = second.within;
    this.within =
      outer === undefined || inner === undefined ? (outer ?? inner) : (work) => outer(() => inner(work));
  }

  moved(event: string, to: string, error?: unknown): void {
    this.first.moved?.(event, to, error);
    this.second.moved?.(event, to, error);
  }

  left(end: LifecycleEnd<unknown>): void {
    this.first.left?.(end);
    this.second.left?.(end);
  }
}
