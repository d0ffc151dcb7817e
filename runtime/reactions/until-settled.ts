import { setTimeout as pause } from 'node:timers/promises';
import type { Long } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import type { KnownCursor } from './reaction-backlog.js';

/** What runs reactions and processes. */
export interface SettlingReactions {
  /** Resolves when all of them have handled the events up to a position, whichever hosts run them. */
  settled(position: Long, signal?: AbortSignal): Promise<void>;
}

const pollMs = 25;

/** A key that is tried again counts as not handled, a parked one as handled: it may stay so. */
const settledText = `SELECT (SELECT count(*) FROM svc_progress WHERE name = ANY($1) AND position >= $3::bigint),
  EXISTS (SELECT 1 FROM svc_stuck_work WHERE follower = ANY($2) AND state = 'retrying' AND position <= $3::bigint)`;

/** Idle cursors of other hosts record where they are about once a second. */
export async function untilSettled(
  database: Pick<Database, 'rows'>,
  cursors: () => readonly KnownCursor[],
  position: Long,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    // A store that does not answer is asked again; callers have a signal to give up.
    if (await isSettled(database, cursors(), position).catch(() => false)) return;
    await pause(pollMs, undefined, { ...(signal && { signal }) }).catch(() => undefined);
  }
}

async function isSettled(
  database: Pick<Database, 'rows'>,
  cursors: readonly KnownCursor[],
  position: Long,
): Promise<boolean> {
  const behind = cursors.filter(({ settledTo = 0 }) => settledTo < position).map(({ cursor }) => cursor);
  const values = [behind, cursors.map(({ cursor }) => cursor), position];
  const [[passed, retries] = []] = await database.rows({ name: 'svc_settled', text: settledText, values });
  return Number(passed) === behind.length && retries === 'f';
}
