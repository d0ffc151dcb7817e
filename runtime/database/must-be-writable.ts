import { Problem } from '../../contracts/problems.js';
import type { Database } from './database.js';
import { isClosed } from './primary-finder.js';

/** A server that responds may still refuse writes; the error names the reason. */
export async function mustBeWritable(database: Pick<Database, 'rows'>): Promise<void> {
  const text = `SELECT current_setting('transaction_read_only'), pg_is_in_recovery(), ${isClosed}`;
  const [[readOnly, standby, closed] = []] = await database.rows({ text });
  if (closed === 't') await refuseClosed(database);
  if (readOnly !== 'on') return;
  const reason = standby === 't' ? 'it is a standby' : 'default_transaction_read_only is on';
  throw new Problem('store-unavailable', {
    detail: `The database is read-only (${reason}): commands are rejected until DATABASE_URL points to a primary that accepts writes.`,
  });
}

async function refuseClosed(database: Pick<Database, 'rows'>): Promise<never> {
  const [[state, other] = []] = await database.rows({ text: 'SELECT state, other FROM svc_move' });
  throw new Problem('store-unavailable', {
    detail:
      state === 'moved'
        ? `The store has moved to ${other ?? ''}: commands are rejected until DATABASE_URL points there.`
        : 'A store is being moved to this database: commands are rejected until svc store move has ended.',
  });
}

/** A small write may still succeed when no table can grow. A sort that exceeds its memory writes a new file, which fails. */
export async function mustHaveSpace(database: Pick<Database, 'rows'>): Promise<void> {
  await database.rows({ text: sortOnDisk });
}

const sortOnDisk = `SET LOCAL work_mem = '64kB';
  SELECT count(*) FROM (SELECT repeat('x', 100) FROM generate_series(1, 4000) n ORDER BY n % 7) sorted`;
