import { Problem } from '../../contracts/problems.js';

const passing: ReadonlySet<string> = new Set([
  'overloaded',
  'draining',
  'store-unavailable',
  'outcome-unknown',
  'migrating',
  'client-gone',
  'rate-limited',
  'subject-keys-unavailable',
]);

/** Says nothing about the event: no attempt. */
export const isPassing = (error: unknown): boolean => error instanceof Problem && passing.has(error.code);

export const isConflict = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'stream-conflict';

/** Its step runs again, and that is no attempt. */
export const runsAgain = (error: unknown): boolean => isPassing(error) || isConflict(error);
