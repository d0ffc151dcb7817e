import type { ErrorSummary } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import { plainSqlMessageOf } from '../../runtime/database/sql-error.js';
import { framesOf, hiddenText, shownMessage } from '../../runtime/logging/hidden-error.js';
import type { Secrets } from '../../runtime/logging/secrets.js';
import { storableStart } from '../../runtime/lang/storable-text.js';
import { thrownName } from '../../runtime/lang/thrown.js';
import { Unhandled } from './step-errors.js';

const maxTextLength = 2_000;
const maxCodeLength = 200;
/** Problems of the runtime itself mention names, states and lengths, never values. */
const ownCodes = new Set([
  'causation-too-deep',
  'process-invalid',
  'process-refused',
  'process-too-large',
  'process-too-long',
  'process-version',
]);

/** What an error of user code may contain: these values, or values that are unknown here. */
export type Hidden = Secrets | 'any';

/** What may appear about a failure in events, rows and logs. */
export function stepFailure(failure: unknown, hidden: Hidden | undefined): ErrorSummary {
  const error = thrown(failure);
  const message = isOwn(failure, error) ? plainSqlMessageOf(error) : messageOf(error, hidden);
  return {
    name: thrownName(error),
    message: storableStart(message, maxTextLength),
    ...(error instanceof Problem ? { code: codeOf(error) } : {}),
  };
}

/** It may be what another system said, and no text. */
function codeOf(error: { readonly code: unknown }): string {
  return storableStart(String(error.code), maxCodeLength);
}

function messageOf(error: unknown, hidden: Hidden | undefined): string {
  const text = plainSqlMessageOf(error);
  if (hidden === undefined) return text;
  if (hidden === 'any') return hiddenText(error, text);
  return error instanceof Problem ? shownMessage(error, hidden) : hidden.hideIn(text);
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

/** As stored in the row of a key. */
export const lineOf = ({ code, message }: ErrorSummary): string =>
  code === undefined || code === message ? message : `${code}: ${message}`;
