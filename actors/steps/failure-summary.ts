import type { ErrorSummary } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import { framesOf, hiddenText } from '../../runtime/hidden-error.js';
import { Unhandled } from './step-errors.js';

const maxTextLength = 2_000;

/** What may appear about a failure in events, rows and logs: an error of user code may contain any value. */
export function failureSummary(failure: unknown, isSensitive: boolean): ErrorSummary {
  const error = failure instanceof Unhandled ? failure.problem : failure;
  const text = error instanceof Error ? error.message : String(error);
  const message = isSensitive ? hiddenText(text, framesOf(error)) : text.slice(0, maxTextLength);
  const name = error instanceof Error ? error.name : 'Error';
  return { name, message, ...(error instanceof Problem ? { code: error.code } : {}) };
}
