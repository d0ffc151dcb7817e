import { Problem } from '../contracts/problems.js';
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
  isForClients(error) ? error : new Problem('unexpected', { cause: error });

/** The status that answers a thrown value. */
export const statusOf = (error: unknown): number => (isForClients(error) ? error.status : 500);

const isForClients = (error: unknown): error is Problem =>
  error instanceof Problem &&
  !internal.has(error.code) &&
  Number.isInteger(error.status) &&
  error.status >= 400 &&
  error.status <= 599;

/** The command is committed; a later step failed. The code of its Problem becomes the `cause`. */
export function afterHookFailed(cause: unknown): Problem {
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
