import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from './database.js';
import { sqlStateOf } from './sql-error.js';

export interface LockRetry {
  /** The longest time that others wait behind a lock that we wait for. */
  readonly lockTimeoutMs: number;
  /** How long a lock is retried. */
  readonly retryForMs: number;
}

/** Waiting for a lock also blocks every later writer: try briefly, with pauses that let them through. */
export const lockRetryDefaults: LockRetry = { lockTimeoutMs: 100, retryForMs: 60_000 };

const minPauseMs = 50;
const maxPauseMs = 2_000;

/** Runs the body in one transaction; retries all of it when a lock cannot be acquired. */
export async function inTransaction<T>(
  session: Session,
  lockRetry: LockRetry,
  body: () => Promise<T>,
): Promise<T> {
  // The clock of the machine may be set meanwhile.
  const until = performance.now() + lockRetry.retryForMs;
  for (let pauseMs = minPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await tryOnce(session, lockRetry, body);
    } catch (error) {
      if (!isTransient(error) || performance.now() + pauseMs > until) throw error;
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
}

// 55P03: lock not available; 40001: serialization failure; 40P01: deadlock.
const isTransient = (error: unknown): boolean =>
  ['55P03', '40001', '40P01'].includes(sqlStateOf(error) ?? '');

async function tryOnce<T>(
  session: Session,
  { lockTimeoutMs }: LockRetry,
  body: () => Promise<T>,
): Promise<T> {
  await session.rows({ text: `BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}` });
  try {
    const result = await body();
    await session.rows({ text: 'COMMIT', isAcknowledged: true });
    return result;
  } catch (error) {
    // A lost connection has rolled back: what lost it says more than that it cannot be used anymore.
    await session.rows({ text: 'ROLLBACK' }).catch(() => undefined);
    throw error;
  }
}
