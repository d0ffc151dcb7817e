import type { Command } from '../contracts/message.js';
import type { SystemMessage } from '../contracts/system-messages.js';
import { buildCommandFailed, buildHookFailed } from '../runtime/audit/build-failure-events.js';
import type { RequestContext } from '../runtime/request-context.js';
import type { FailingState, LifecycleEnd } from './lifecycle/lifecycle.js';
import type { LifecycleObserver } from './endpoint-lifecycle.js';

const hooks: Partial<Record<FailingState, string>> = {
  mapping: 'mapRequestToCommand',
  before: 'onBeforeExecute',
  after: 'onAfterExecute',
  recovering: 'onError',
};

/** Emits failures to the system stream; the answer is decided by then and does not change. */
export const emitErrorEvents = (emit: (message: SystemMessage) => void): LifecycleObserver => ({
  ended: (endpoint, command, end, context) => {
    if (end.outcome === 'completed' || end.outcome === 'cancelled') return;
    const failed = failureOf(command, end, context);
    if (failed !== undefined) emit(failed);
    if (end.outcome === 'recovered') return;
    const hook = hooks[end.in];
    const report =
      hook === undefined ? undefined : buildHookFailed(hook, endpoint.constructor.name, end.error, context);
    if (report !== undefined) emit(report);
  },
});

function failureOf(
  command: Command | undefined,
  end: LifecycleEnd<unknown>,
  context: RequestContext,
): SystemMessage | undefined {
  if (command === undefined || end.outcome === 'completed') return undefined;
  if (end.outcome === 'recovered') return buildCommandFailed(command, end.from, true, context);
  if (end.in === 'dispatching') return buildCommandFailed(command, end.error, false, context);
  return end.in === 'recovering' ? buildCommandFailed(command, end.from, false, context) : undefined;
}
