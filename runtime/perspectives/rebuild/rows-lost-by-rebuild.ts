import { Problem } from '../../../contracts/problems.js';
import type { Long, Uuid } from '../../../contracts/scalars.js';
import type { ParkedPositions, Rows } from './rebuild-record.js';

/** A row that stops at an event that its previous model had passed. */
export interface LostRow {
  readonly key: string;
  readonly eventId: Uuid;
  readonly globalPosition: Long;
  readonly error: string;
}

/** The parked rows of a table. */
export async function parkedIn(database: Rows, table: string): Promise<readonly LostRow[]> {
  const rows = await database.rows({
    text: 'SELECT key, message_id, position, error FROM svc_stuck_work WHERE follower = $1 ORDER BY position, key',
    values: [table],
  });
  return rows.map(([key, eventId, position, error]) => ({
    key: key ?? '',
    eventId: eventId ?? '',
    globalPosition: Number(position),
    error: error ?? '',
  }));
}

/** Of the rows that a rebuild could not fold, those that readers had; the served model has folded nothing after `reached` either. */
export const lostOf = (
  parked: readonly LostRow[],
  before: ParkedPositions,
  reached: Long,
): readonly LostRow[] =>
  parked.filter(
    ({ key, globalPosition }) =>
      globalPosition <= reached && !((before.get(key) ?? Number.POSITIVE_INFINITY) <= globalPosition),
  );

export function rowsLostProblem(name: string, lost: readonly LostRow[], stays: string): Problem {
  const [first] = lost;
  const rows = lost.length === 1 ? 'one row' : `${lost.length} rows`;
  return new Problem('rebuild-failed', {
    detail: `${name} cannot fold ${rows} that readers have, first ${first?.key ?? ''} at event ${first?.eventId ?? ''}: ${first?.error ?? ''}; ${stays}. Fix apply, or rebuild with force.`,
  });
}
