import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { escapeLiteral } from '../database/pg-exports.js';
import { hasTimedOut, sqlStateOf } from '../database/sql-error.js';
import { thrownMessage } from '../lang/thrown.js';
import { copiedTables } from './copied-tables.js';
import type { MoveEnd, MoveEnds } from './move-ends.js';
import {
  emptying,
  emptyOnes,
  isSubscribed,
  listed,
  publishedTables,
  slotName,
  unpublish,
} from './replication.js';

const pollMs = 20;

/**
 * Begins with the tables that are empty: for each table that has rows, both servers start a process, and one makes a slot.
 * The servers replicate by themselves: whatever becomes of this process, they continue.
 */
export async function startReplication({ source, target }: MoveEnds): Promise<void> {
  const { database } = source;
  // What was empty when an earlier run began may have rows by now.
  await unpublish(database);
  await database.rows({ text: 'CREATE PUBLICATION svc_move' }).catch(notAllowed(source, 'own its database'));
  const there = await copiedTables(target.database);
  // All at once: a table that a foreign key refers to cannot be emptied alone.
  await target.database.rows({ text: emptying(there) });
  const tables = await copiedTables(database);
  const candidates = await emptyOnes(
    database,
    tables.filter((table) => there.includes(table)),
  );
  if (candidates.length > 0)
    await database.rows({ text: `ALTER PUBLICATION svc_move ADD TABLE ${listed(candidates)}` });
  const made = `SELECT slot_name FROM pg_create_logical_replication_slot(${slotName}, 'pgoutput')`;
  const [[slot] = []] = await database
    .rows({ text: made })
    .catch(stillWritten)
    .catch(notAllowed(source, 'have the attribute REPLICATION'));
  // The slot sends what is committed from here on. A table that is empty now had no row before, or has lost it since.
  await untilVisible(database);
  const published = await publishedTables(database);
  const empty = await emptyOnes(database, published);
  const filled = published.filter((table) => !empty.includes(table));
  if (filled.length > 0)
    await database.rows({ text: `ALTER PUBLICATION svc_move DROP TABLE ${listed(filled)}` });
  const options = `slot_name = ${slot ?? ''}, create_slot = false, copy_data = false`;
  const text = `CREATE SUBSCRIPTION svc_move CONNECTION ${escapeLiteral(source.url)} PUBLICATION svc_move WITH (${options})`;
  await target.database.rows({ text }).catch(async (error: unknown) => {
    // A slot that nobody reads would keep all WAL.
    if (!(await isSubscribed(target.database))) await unpublish(database);
    return notAllowed(target, 'be a member of pg_create_subscription')(error);
  });
}

const insufficientPrivilege = '42501';

const notAllowed =
  ({ address }: MoveEnd, need: string) =>
  (error: unknown): never => {
    if (sqlStateOf(error) !== insufficientPrivilege) throw error;
    throw new Problem('invalid-setup', {
      detail: `${address} refuses: ${thrownMessage(error)}. The role must ${need} there; then run svc store move resume.`,
    });
  };

function stillWritten(error: unknown): never {
  if (!hasTimedOut(error)) throw error;
  throw new Problem('invalid-setup', {
    detail:
      'A copy begins when every transaction that was writing has ended: end the long ones, as pg_stat_activity shows them; then run svc store move resume.',
  });
}

/** A commit that the slot counts as earlier may be invisible for a moment: it is, while it waits for a standby. */
async function untilVisible(database: Pick<Database, 'rows'>): Promise<void> {
  const [[last] = []] = await database.rows({ text: 'SELECT pg_current_xact_id()' });
  const text = 'SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8';
  while ((await database.rows({ text, values: [last] })).length === 0) await delay(pollMs);
}
