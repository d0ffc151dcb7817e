import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';

const tries = 100;
const everyMs = 100;

/** Runs the body alone: no other move, or, while it switches over, no migration. A killed process loses its lock soon. */
export async function alone<T>(
  database: Pick<Database, 'session'>,
  what: 'move' | 'migrate',
  body: () => Promise<T>,
): Promise<T> {
  const session = await database.session();
  try {
    for (let tried = 1; ; tried++) {
      const [[isLocked] = []] = await session.rows({
        text: `SELECT pg_try_advisory_lock(hashtext('svc'), hashtext($1 || ' ' || current_schema()))`,
        values: [what],
      });
      if (isLocked === 't') return await body();
      if (tried === tries) throw inUse();
      await delay(everyMs);
    }
  } finally {
    session.release(true);
  }
}

const inUse = (): Problem =>
  new Problem('usage', {
    detail: 'Another svc store move, or a migration, runs on this database; try again when it has ended.',
  });
