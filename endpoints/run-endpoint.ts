import type { CommandGuard } from '../actors/commands/command-handler.js';
import type { IdempotencyGate } from '../contracts/idempotency-gate.js';
import type { Problem } from '../contracts/problems.js';
import type { UnitStore } from '../contracts/unit-store.js';
import type { RequestContext } from '../runtime/request-context.js';
import { type Answer, answerOnce, type KeyedRequest } from './idempotent-answer.js';
import type { LifecycleEnd } from './lifecycle/lifecycle.js';
import { lifecycleOf } from './mutation-endpoint.js';
import { hideInLog } from './logged-problem.js';
import { afterHookFailed, problemBody, problemOf } from './problem.js';
import type { EndpointRegistration } from './registrations.js';

/** What a transport needs to run endpoints. */
export interface EndpointPorts {
  readonly gate: IdempotencyGate;
  readonly store: UnitStore;
  /** Set under a supervisor. */
  readonly guard?: CommandGuard | undefined;
}

/** One command, or the request it is mapped from, for its endpoint. */
export interface Invocation {
  readonly registration: EndpointRegistration;
  readonly context: RequestContext;
  readonly decoded: unknown;
}

export function runEndpoint({ registration, context, decoded }: Invocation): Promise<LifecycleEnd<unknown>> {
  const what = registration.takes === 'command' ? { command: decoded as object } : { request: decoded };
  return lifecycleOf(registration.endpoint).run(what, context);
}

/** Runs the endpoint for the first request with this key and repeats its answer to all others. */
export function runEndpointOnce(invocation: Invocation, ports: EndpointPorts, once: Once): Promise<Answer> {
  const { registration, context, decoded } = invocation;
  return runOnce(
    {
      commandType: registration.command.name,
      permission: registration.permission ?? 'authenticated',
      decoded,
      context,
      encode: (result) => registration.encode(result),
      run: () => runEndpoint(invocation),
    },
    ports,
    once,
  );
}

interface Once {
  readonly key: string;
  /** The path of the request. */
  readonly instance: string;
}

/** The same for a command that need not have an endpoint. */
export const runOnce = (
  keyed: Pick<KeyedRequest, 'commandType' | 'permission' | 'decoded' | 'context' | 'encode' | 'run'>,
  { gate, store }: EndpointPorts,
  { key, instance }: Once,
): Promise<Answer> =>
  answerOnce(gate, store, {
    ...keyed,
    key,
    refuse: (problem) => problemBody(problem, instance, keyed.context.correlationId),
    problemOf: (end) => problemOfEnd(end, keyed.context),
  });

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
