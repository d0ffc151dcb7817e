import type { CommandGuard } from '../actors/commands/command-handler.js';
import type { IdempotencyGate } from '../contracts/idempotency-gate.js';
import type { Problem } from '../contracts/problems.js';
import type { UnitStore } from '../contracts/unit-store.js';
import type { LifecycleEnd } from '../runtime/request/observer.js';
import type { RequestContext } from '../runtime/request/request-context.js';
import { lifecycleOf } from './mutation-endpoint.js';
import { hideInLog } from './logged-problem.js';
import { afterHookFailed, problemOf } from './problem.js';
import type { EndpointRegistration } from './registrations.js';

/** What a transport needs to run endpoints. */
export interface EndpointPorts {
  readonly gate: IdempotencyGate;
  readonly store: UnitStore;
  /** Set under a supervisor. */
  readonly guard?: CommandGuard | undefined;
}

/** Runs a command, or the request it is mapped from, in the lifecycle of its endpoint. */
export function runEndpoint(
  { takes, endpoint }: EndpointRegistration,
  decoded: unknown,
  context: RequestContext,
): Promise<LifecycleEnd<unknown>> {
  const what = takes === 'command' ? { command: decoded as object } : { request: decoded };
  return lifecycleOf(endpoint).run(what, context);
}

/** The result of a command that has ended; its problem is thrown. */
export function resultOf(end: LifecycleEnd<unknown>, context: RequestContext): unknown {
  if ('result' in end) return end.result;
  throw problemOfEnd(end, context);
}

/** The problem that answers a failed end. */
export function problemOfEnd(
  end: LifecycleEnd<unknown> & { error: unknown },
  { secrets }: Partial<Pick<RequestContext, 'secrets'>> = {},
): Problem {
  const isAfter = 'in' in end && end.in === 'after';
  const problem = isAfter ? afterHookFailed(end.error) : problemOf(end.error);
  if (secrets !== undefined) hideInLog(problem, secrets);
  return problem;
}
