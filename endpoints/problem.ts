import { Problem } from '../contracts/problems.js';
import { hiddenError } from '../runtime/logging/hidden-error.js';
import type { Secrets } from '../runtime/logging/secrets.js';
import type { LifecycleEnd } from '../runtime/request/observer.js';
import type { RequestContext } from '../runtime/request/request-context.js';
import { securityHeaders } from './security-headers.js';

export const problemType = 'application/problem+json; charset=utf-8';

/** Codes that reveal internals: a client only learns that something went wrong. */
const internal = new Set([
  'invalid-setup',
  'unit-closed',
  'waits-for-itself',
  'invalid-event',
  'reserved-stream',
]);

/** Any thrown value, as a problem that a client may see. */
export const problemOf = (error: unknown): Problem =>
  error instanceof Problem &&
  !internal.has(error.code) &&
  Number.isInteger(error.status) &&
  error.status >= 400 &&
  error.status <= 599
    ? error
    : new Problem('unexpected', { cause: error });

/** The result of a command that has ended; its problem is thrown. */
export function resultOf(end: LifecycleEnd<unknown>, context: RequestContext): unknown {
  if ('result' in end) return end.result;
  throw problemOfEnd(end, context);
}

export function problemOfEnd(
  end: Extract<LifecycleEnd<unknown>, { readonly error: unknown }>,
  { secrets }: Pick<RequestContext, 'secrets'>,
): Problem {
  const problem = end.in === 'after' ? afterHookFailed(end.error) : problemOf(end.error);
  if (secrets !== undefined) hideInLog(problem, secrets);
  return problem;
}

/** The command is committed; a later step failed. The code of its Problem becomes the `cause`. */
function afterHookFailed(cause: unknown): Problem {
  const thrown = problemOf(cause);
  const extensions = { committed: true, ...(thrown === cause ? { cause: thrown.code } : {}) };
  return new Problem('after-hook-failed', { extensions, cause });
}

/** RFC 9457. */
export function problemBody(problem: Problem, instance: string, correlationId: string): string {
  return JSON.stringify({
    ...problem.extensions,
    type: `urn:svc:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance,
    correlationId,
    errors: problem.errors,
  });
}

export function problemHeaders(problem: Problem): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': problemType,
    'cache-control': 'no-store',
    ...securityHeaders,
    ...problem.headers,
  };
  const retryAfter = problem.retryAfter ?? (problem.status === 503 || problem.status === 429 ? 1 : undefined);
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return headers;
}

const hidden = new WeakMap<Problem, Secrets | undefined>();

/** Its texts may contain these values, or without them any sensitive value. */
export function hideInLog(problem: Problem, secrets?: Secrets): void {
  hidden.set(problem, secrets);
}

/** The problem of an error whose texts must not be logged. A Problem without a cause has only texts for the client. */
export function hiddenProblem(error: unknown): Problem {
  const problem = problemOf(error);
  if (problem.cause !== undefined) hideInLog(problem);
  return problem;
}

/** What the log says about a problem. */
export function loggedProblem(problem: Problem): { readonly err: unknown; readonly message: string } {
  const err = problem.cause ?? problem;
  if (!hidden.has(problem)) return { err, message: problem.message };
  return { err: hiddenError(err, hidden.get(problem)), message: problem.title };
}
