import type { Problem } from '../contracts/problems.js';
import { hiddenError } from '../runtime/hidden-error.js';
import { problemOf } from './problem.js';

const hidden = new WeakSet<Problem>();

/** Its texts may contain a value of a sensitive field. */
export function hideInLog(problem: Problem): void {
  hidden.add(problem);
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
  return hidden.has(problem)
    ? { err: hiddenError(err), message: problem.code }
    : { err, message: problem.message };
}
