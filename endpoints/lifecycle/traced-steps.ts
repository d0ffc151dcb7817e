import type { RequestContext } from '../../runtime/request-context.js';
import { inSpan } from '../../runtime/tracing.js';
import type { LifecycleSteps } from './lifecycle.js';

/** Makes every working state a span of the request's trace. */
export function tracedSteps<TResult>(
  steps: LifecycleSteps<TResult>,
  context: RequestContext,
): LifecycleSteps<TResult> {
  const state = <T>(name: string, work: () => T): T => inSpan(context, name, 'internal', work);
  return {
    isCancelled: () => steps.isCancelled(),
    cancellationReason: () => steps.cancellationReason(),
    map: () => state('mapping', () => steps.map()),
    before: () => state('before', () => steps.before()),
    dispatch: () => state('dispatching', () => steps.dispatch()),
    after: (result) => state('after', () => steps.after(result)),
    recover: (error) => state('recovering', () => steps.recover(error)),
  };
}
