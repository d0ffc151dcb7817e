import { type ErrorSummary, ReactionFailed } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import { framesOf, hiddenText } from '../../runtime/hidden-error.js';
import type { Marks } from '../../runtime/reactions/line-effects.js';
import { Unhandled } from '../steps/step-errors.js';
import type { StepAttempt } from './step-attempt.js';

const maxTextLength = 2_000;

/** What may appear about a failure in events, rows and logs: an error of user code may contain any value. */
export function stepFailure(failure: unknown, isSensitive: boolean): ErrorSummary {
  const error = failure instanceof Unhandled ? failure.problem : failure;
  const text = error instanceof Error ? error.message : String(error);
  const message = isSensitive ? hiddenText(text, framesOf(error)) : text.slice(0, maxTextLength);
  const name = error instanceof Error ? error.name : 'Error';
  return { name, message, ...(error instanceof Problem ? { code: error.code } : {}) };
}

/** Reported when a key leaves the line because it fails, and when it is parked. */
export function reactionFailed(
  { work, entry: { event } }: Pick<StepAttempt, 'work' | 'entry'>,
  error: ErrorSummary,
  { aside }: Marks,
): ReactionFailed | undefined {
  if (aside === undefined || (aside.from !== 0 && aside.state !== 'parked')) return undefined;
  return new ReactionFailed({
    reactionName: work.name,
    key: aside.key,
    eventId: event.messageId,
    eventType: event.messageType,
    error,
    attempt: aside.attempts,
    parked: aside.state === 'parked',
    timestamp: new Date().toISOString(),
  });
}
