import { Problem } from '../../contracts/problems.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { type RequestContext, runOf } from '../../runtime/request/request-context.js';
import { StagedBase } from '../../runtime/unit/staged-base.js';
import { StagedUnit } from '../../runtime/unit/unit-of-work.js';
import type { CommandAttempt, Handler } from './command-attempt.js';
import { KeyLine, Overturned } from './key-line.js';

/**
 * Commits the unit of a command that has a key. If the commit checks everything that the command was decided on, the
 * next command with the key is decided meanwhile; otherwise it waits.
 */
export function commitKeyed(attempt: CommandAttempt, handler: Handler, store: UnitStore): Promise<void> {
  const { work, key, keys, standing } = attempt;
  if (standing !== undefined) mustNotGuess(standing.base, handler);
  // A command with several keys holds all of them until it is committed.
  if (key === undefined || keys !== undefined || attempt.isAlone || !mayRepeat(handler) || !isChecked(work)) {
    if (standing === undefined) return store.commit(work, work.context.cancellationToken);
    handler.follows = 'not yet';
    throw new Overturned(true);
  }
  if (handler.follows === 'not yet') handler.follows = 'yes';
  const line = handler.keys.openLine(key, () => new KeyLine(store, () => handler.keys.emptied(key)));
  const committed = line.commit(work, standing?.turn);
  handler.actor.send({ type: 'decided', attempt });
  return committed;
}

/** For a command that commits nothing: its decision counts if those before it are committed. */
export async function passed(attempt: CommandAttempt, handler: Handler): Promise<void> {
  const { standing, context } = attempt;
  if (standing === undefined) return;
  const { base, line, turn } = standing;
  mustNotGuess(base, handler);
  // It may have read something else, which lacks the others' units, or something that changed before it was sent.
  if (!base.isUsed || base.isOld) throw new Overturned(true);
  const committed = line.passed(context.cancellation, turn);
  handler.actor.send({ type: 'decided', attempt });
  await committed;
}

/** A refusal counts once everything that it was decided on is committed. */
export async function errorOf(thrown: unknown, attempt: CommandAttempt, handler: Handler): Promise<unknown> {
  const { work, context } = attempt;
  if (!work.isOpen || thrown instanceof Overturned) return thrown;
  // A client that has gone does not wait for certainty.
  if (context.cancellation.aborted) return context.cancellation.reason;
  try {
    if (thrown instanceof TypeError) handler.follows = 'never';
    await passed(attempt, handler);
    return thrown instanceof TypeError ? new Overturned(true) : thrown;
  } catch (error) {
    return error;
  }
}

/** A command that another one invokes finds in the store everything that the outer one has seen. */
export function committedBefore({ cause }: RequestContext): Promise<void> | undefined {
  const unit = cause && runOf(cause).unit;
  const earlier = unit instanceof StagedUnit ? unit.earlier : undefined;
  if (!(earlier instanceof StagedBase)) return undefined;
  return earlier.committed().catch((error: unknown) => {
    throw error instanceof Overturned ? new Problem('stream-conflict') : error;
  });
}

const mayRepeat = ({ receptor, follows }: Handler): boolean =>
  follows !== 'never' && (receptor.retryOnConflict ?? 0) > 0;

const isChecked = ({ events, expected }: StagedUnit): boolean =>
  events.length > 0 && events.every(({ streamId }) => expected.has(streamId));

function mustNotGuess({ isGuessed }: StagedBase, handler: Handler): void {
  if (!isGuessed) return;
  handler.follows = 'never';
  throw new Overturned(true);
}
