import { Problem } from '../../contracts/problems.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Session } from '../database/database.js';
import { historyProblemOf } from '../database/sql-error.js';

/** Refuses when events of these types behind a position are archived, or any. */
export const mustHold = (
  session: Pick<Session, 'rows'>,
  after: Long,
  types?: readonly string[],
): Promise<void> => answered(session, 'SELECT svc_must_hold($1, $2)', [after, types ?? null]);

/** Refuses when a part of one of these streams is archived. */
export const mustHoldStreams = (session: Pick<Session, 'rows'>, streams: readonly Uuid[]): Promise<void> =>
  answered(session, 'SELECT svc_must_hold_streams($1, NULL)', [streams]);

async function answered(session: Pick<Session, 'rows'>, text: string, values: unknown[]): Promise<void> {
  try {
    await session.rows({ text, values });
  } catch (error) {
    throw historyProblemOf(error) ?? error;
  }
}

/** What was asked for, or the problem that the history that it needs is archived. */
export const orArchived = <T>(asked: Promise<T>): Promise<T | Problem> =>
  asked.catch((error: unknown) => {
    const problem = error instanceof Problem ? error : historyProblemOf(error);
    if (problem?.code === 'history-archived') return problem;
    throw error;
  });

/** What was asked for; undefined when the history that it needs is archived. */
export const unlessArchived = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  const found = await orArchived(asked);
  return found instanceof Problem ? undefined : found;
};
