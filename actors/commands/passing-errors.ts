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

/** Whether an error says nothing about the event, and so does not count as an attempt. */
export const isPassing = (error: unknown): boolean => error instanceof Problem && passing.has(error.code);

export const isConflict = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'stream-conflict';

/** Whether the step runs again without counting as an attempt. */
export const runsAgain = (error: unknown): boolean => isPassing(error) || isConflict(error);
