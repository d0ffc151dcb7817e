import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { hasTimedOut } from '../database/sql-error.js';
import { failpoint } from '../lang/failpoint.js';

const logs = ['svc_events', 'svc_system_events'] as const;

/** Detaches and drops the tables of archived segments. Detaching waits for readers, and lets commits continue. */
export async function removeArchivedTables(owner: Pick<Database, 'rows'>): Promise<void> {
  const found = await owner.rows({
    text: `SELECT l.log || '_' || s.low, l.log, i.inhdetachpending FROM svc_segments s CROSS JOIN unnest($1::text[]) l(log)
      LEFT JOIN pg_inherits i ON i.inhrelid = to_regclass(l.log || '_' || s.low)
      WHERE s.state = 'archived' AND to_regclass(l.log || '_' || s.low) IS NOT NULL ORDER BY s.low`,
    values: [logs],
  });
  for (const [table, log, isPending] of found) {
    // An interrupted one is neither attached nor detached.
    if (isPending !== null)
      await owner
        .rows({
          text: `ALTER TABLE ${log} DETACH PARTITION ${table} ${isPending === 't' ? 'FINALIZE' : 'CONCURRENTLY'}`,
        })
        .catch(stillRead);
    failpoint('archive-detached');
  }
  for (const [table] of found) {
    await owner.rows({ text: `DROP TABLE ${table}` });
    failpoint('archive-dropped');
  }
}

function stillRead(cause: unknown): never {
  if (!hasTimedOut(cause)) throw cause;
  throw new Problem('invalid-setup', {
    detail:
      'Transactions that read the log for long keep the tables of archived segments: end them, as pg_stat_activity shows them, and run svc segments archive again.',
  });
}
