import type { Problem } from '../contracts/problems.js';
import { hiddenError } from '../runtime/logging/hidden-error.js';
import type { Secrets } from '../runtime/logging/secrets.js';
import { problemOf } from './problem.js';

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
