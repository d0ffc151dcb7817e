import type { SystemMessage } from '../contracts/system-messages.js';
import { buildCommandFailed, buildHookFailed } from '../runtime/audit/build-failure-events.js';
import type { FailingState, LifecycleEnd, Observed, Observer, Visit } from '../runtime/request/observer.js';

const hooks: Partial<Record<FailingState, string>> = {
  mapping: 'mapRequestToCommand',
  before: 'onBeforeExecute',
  after: 'onAfterExecute',
  recovering: 'onError',
};

/** Emits failures to the system stream; the answer is decided by then and does not change. */
export const emitErrorEvents = (emit: (message: SystemMessage) => void): Observer => ({
  entered: (part, of) => (part === 'lifecycle' ? new Failures(emit, of) : undefined),
});

class Failures implements Visit {
  constructor(
    private readonly emit: (message: SystemMessage) => void,
    private readonly of: Observed,
  ) {}

  left(end: LifecycleEnd<unknown>): void {
    if (end.outcome === 'completed' || end.outcome === 'cancelled') return;
    for (const message of failuresOf(end, this.of)) this.emit(message);
  }
}

function* failuresOf(
  end: Exclude<LifecycleEnd<unknown>, { readonly outcome: 'completed' }>,
  { command, context, endpoint }: Observed,
): Iterable<SystemMessage> {
  const failure = dispatchFailureOf(end);
  if (failure !== undefined && command !== undefined)
    yield buildCommandFailed(command, failure.error, end.outcome === 'recovered', context);
  const hook = end.outcome === 'recovered' ? undefined : hooks[end.in];
  if (end.outcome === 'recovered' || hook === undefined) return;
  const report = buildHookFailed(hook, endpoint?.constructor.name, end.error, context);
  if (report !== undefined) yield report;
}

/** What dispatch threw, whatever the error-hook made of it. */
function dispatchFailureOf(end: LifecycleEnd<unknown>): { readonly error: unknown } | undefined {
  if (end.outcome === 'recovered') return { error: end.from };
  if (!('in' in end)) return undefined;
  if (end.in === 'dispatching') return { error: end.error };
  return end.in === 'recovering' ? { error: end.from } : undefined;
}
