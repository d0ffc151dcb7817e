import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from './database.js';
import { sqlStateOf } from './sql-error.js';

export interface Patience {
  /** Longer than this nobody waits behind a lock that we wait for. */
  readonly lockTimeoutMs: number;
  /** How long a lock is tried again and again. */
  readonly withinMs: number;
}

/** What waits for a lock makes every later writer wait too: short tries, with pauses in which they get through. */
export const patienceDefaults: Patience = { lockTimeoutMs: 100, withinMs: 60_000 };

const firstPauseMs = 50;
const mostPauseMs = 2_000;

/** Runs the body in one transaction; a lock that is not to be had is tried again, all from the start. */
export async function inTransaction<T>(
  session: Session,
  patience: Patience,
  body: () => Promise<T>,
): Promise<T> {
  const until = Date.now() + patience.withinMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, mostPauseMs)) {
    try {
      return await once(session, patience, body);
    } catch (error) {
      if (!isPassing(error) || Date.now() + pauseMs > until) throw error;
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
}

// 55P03 the lock was not to be had, 40001 somebody changed a row that the snapshot shows, 40P01 a deadlock.
const isPassing = (error: unknown): boolean => ['55P03', '40001', '40P01'].includes(sqlStateOf(error) ?? '');

async function once<T>(session: Session, { lockTimeoutMs }: Patience, body: () => Promise<T>): Promise<T> {
  await session.rows({ text: `BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}` });
  try {
    const result = await body();
    await session.rows({ text: 'COMMIT' });
    return result;
  } catch (error) {
    await session.rows({ text: 'ROLLBACK' });
    throw error;
  }
}
