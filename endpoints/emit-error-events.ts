import type { SystemMessage } from '../contracts/system-messages.js';
import { buildCommandFailed, buildHookFailed } from '../runtime/audit/build-failure-events.js';
import type { FailingState, Observer } from '../runtime/request/observer.js';

const hooks: Partial<Record<FailingState, string>> = {
  mapping: 'mapRequestToCommand',
  before: 'onBeforeExecute',
  after: 'onAfterExecute',
  recovering: 'onError',
};

/** Emits failures to the system stream; the answer is decided by then and does not change. */
export const emitErrorEvents = (emit: (message: SystemMessage) => void): Observer => ({
  entered: () => undefined,
  ended: ({ command, context, endpoint }, end) => {
    if (end.outcome === 'completed' || end.outcome === 'cancelled') return;
    const isRecovered = end.outcome === 'recovered';
    if (command !== undefined && (isRecovered || end.in === 'dispatching' || end.in === 'recovering')) {
      // What dispatch threw, whatever the error-hook made of it.
      const error = isRecovered || end.in === 'recovering' ? end.from : end.error;
      emit(buildCommandFailed(command, error, isRecovered, context));
    }
    const hook = isRecovered ? undefined : hooks[end.in];
    if (isRecovered || hook === undefined) return;
    const report = buildHookFailed(hook, endpoint?.constructor.name, end.error, context);
    if (report !== undefined) emit(report);
  },
});
