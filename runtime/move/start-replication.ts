import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { escapeIdentifier, escapeLiteral } from '../database/pg-exports.js';
import { copiedTables } from './copied-tables.js';
import type { MoveEnds } from './move-ends.js';
import { emptying, isSubscribed, listed, publishedTables, slotName, unpublish } from './replication.js';

const pollMs = 20;

/**
 * Begins with the tables that are empty: for each table that has rows, both servers start a process, and one makes a slot.
 * The servers replicate by themselves: whatever becomes of this process, they continue.
 */
export async function startReplication({ source, target }: MoveEnds): Promise<void> {
  const { database } = source;
  // What was empty when an earlier run began may have rows by now.
  await unpublish(database);
  await database.rows({ text: 'CREATE PUBLICATION svc_move' });
  const there = new Set(await copiedTables(target.database));
  const tables = await copiedTables(database);
  const candidates = await emptyOnes(
    database,
    tables.filter((table) => there.has(table)),
  );
  if (candidates.length > 0)
    await database.rows({ text: `ALTER PUBLICATION svc_move ADD TABLE ${listed(candidates)}` });
  const [[slot] = []] = await database.rows({
    text: `SELECT slot_name FROM pg_create_logical_replication_slot(${slotName}, 'pgoutput')`,
  });
  // The slot sends what is committed from here on. A table that is empty now had no row before, or has lost it since.
  await untilVisible(database);
  const published = await publishedTables(database);
  const empty = await emptyOnes(database, published);
  const filled = published.filter((table) => !empty.includes(table));
  if (filled.length > 0)
    await database.rows({ text: `ALTER PUBLICATION svc_move DROP TABLE ${listed(filled)}` });
  if (empty.length > 0) await target.database.rows({ text: emptying(empty) });
  const options = `slot_name = ${slot ?? ''}, create_slot = false, copy_data = false`;
  const text = `CREATE SUBSCRIPTION svc_move CONNECTION ${escapeLiteral(source.url)} PUBLICATION svc_move WITH (${options})`;
  await target.database.rows({ text }).catch(async (error: unknown) => {
    // A slot that nobody reads would keep all WAL.
    if (!(await isSubscribed(target.database))) await unpublish(database);
    throw error;
  });
}

async function emptyOnes(
  database: Pick<Database, 'rows'>,
  tables: readonly string[],
): Promise<readonly string[]> {
  if (tables.length === 0) return [];
  const text = tables.map(
    (table) => `SELECT ${escapeLiteral(table)} WHERE NOT EXISTS (SELECT FROM ${escapeIdentifier(table)})`,
  );
  return (await database.rows({ text: text.join(' UNION ALL ') })).map(([table]) => table ?? '');
}

/** A commit that the slot counts as earlier may be invisible for a moment: it is, while it waits for a standby. */
async function untilVisible(database: Pick<Database, 'rows'>): Promise<void> {
  const [[last] = []] = await database.rows({ text: 'SELECT pg_current_xact_id()' });
  const text = 'SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8';
  while ((await database.rows({ text, values: [last] })).length === 0) await delay(pollMs);
}
