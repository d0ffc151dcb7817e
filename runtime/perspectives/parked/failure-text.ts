import type { ErrorSummary } from '../../../contracts/events/error.js';
import { Problem } from '../../../contracts/problems.js';
import { framesOf, hiddenText } from '../../logging/hidden-error.js';
import { plainSqlMessageOf, sqlStateOf } from '../../database/sql-error.js';
import { storableStart } from '../../lang/storable-text.js';
import { thrownMessage, thrownName } from '../../lang/thrown.js';
import type { ParkedKey } from '../fold/write-batch.js';
import type { FoldFailure, FoldRules } from '../fold/fold.js';

interface FailureSummary extends ErrorSummary {
  /** The stack frames without the message. */
  readonly stack: string;
}

const maxTextLength = 2_000;
/** Problems of the runtime itself mention types and lengths, never values. */
const ownCodes = new Set([
  'invalid-model',
  'missing-upcaster',
  'subject-keys-unavailable',
  'history-archived',
]);

/**
 * What may appear about a failure in events, parked rows and logs. If the perspective takes sensitive fields, the whole
 * message of an exception is hidden: `apply` may have put any of their values into it, from the event or the model.
 */
export function failureSummary(rules: FoldRules, { error }: Pick<FoldFailure, 'error'>): FailureSummary {
  const name = thrownName(error);
  const stack = framesOf(error);
  const state = sqlStateOf(error);
  if (state !== undefined) return { name, message: plainSqlMessageOf(error), code: state, stack };
  const message = thrownMessage(error);
  const code = error instanceof Problem ? { code: error.code } : {};
  const isOwn = error instanceof Problem && ownCodes.has(error.code);
  const isHidden = !isOwn && rules.table.types.some((type) => rules.isSensitive?.(type) === true);
  return {
    name,
    message: isHidden ? hiddenText(error) : storableStart(message, maxTextLength),
    ...code,
    stack,
  };
}

/** The same on one line, as it is stored. */
export function failureText(rules: FoldRules, error: unknown): string {
  const { name, message } = failureSummary(rules, { error });
  return storableStart(`${error instanceof Problem ? error.code : name}: ${message}`, maxTextLength);
}

/** A row that was parked by a failure. */
export function parkedKey(rules: FoldRules, key: string, failure: FoldFailure, attempts: number): ParkedKey {
  const { event } = failure.entry;
  return {
    key,
    eventId: event.messageId,
    globalPosition: event.globalPosition,
    error: failureText(rules, failure.error),
    attempts,
  };
}
