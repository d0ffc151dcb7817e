import type { ErrorSummary } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import { plainSqlMessageOf } from '../../runtime/database/sql-error.js';
import { framesOf, hiddenText } from '../../runtime/hidden-error.js';
import { thrownName } from '../../runtime/thrown.js';
import { Unhandled } from './step-errors.js';

const maxTextLength = 2_000;
/** Problems of the runtime itself mention names, states and lengths, never values. */
const ownCodes = new Set([
  'causation-too-deep',
  'process-invalid',
  'process-refused',
  'process-too-large',
  'process-too-long',
  'process-version',
]);

/** What may appear about a failure in events, rows and logs: an error of user code may contain any value. */
export function stepFailure(failure: unknown, isSensitive: boolean): ErrorSummary {
  const error = thrown(failure);
  const text = plainSqlMessageOf(error);
  const isHidden = isSensitive && !isOwn(failure, error);
  const message = isHidden ? hiddenText(text, framesOf(error)) : text;
  const name = thrownName(error);
  // PostgreSQL cannot store U+0000 in text.
  const short = message.replaceAll('\0', '').slice(0, maxTextLength);
  return { name, message: short, ...(error instanceof Problem ? { code: error.code } : {}) };
}

const thrown = (failure: unknown): unknown => (failure instanceof Unhandled ? failure.problem : failure);

/** For the log, which also says where it was thrown. */
export const loggedFailure = (shown: ErrorSummary, failure: unknown): ErrorSummary & { stack: string } => ({
  ...shown,
  stack: framesOf(thrown(failure)),
});

/** The text of an event that cannot be handled is ours. */
const isOwn = (failure: unknown, error: unknown): boolean =>
  (failure instanceof Unhandled && typeof error === 'string') ||
  (error instanceof Problem && ownCodes.has(error.code));

/** As it stands in the row of a key. */
export const lineOf = ({ code, message }: ErrorSummary): string =>
  code === undefined || code === message ? message : `${code}: ${message}`;
