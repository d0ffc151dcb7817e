import { type ErrorSummary, ReactionFailed } from '../../contracts/events/error.js';
import type { Marks } from '../../runtime/reactions/line-effects.js';
import type { StepAttempt } from './step-attempt.js';

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
