import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { escapeIdentifier, escapeLiteral } from '../database/pg-exports.js';
import type { MoveEnds } from './move-ends.js';

/** A subscription is useless without its slot, and a slot without its WAL, of which the server keeps only so much. */
export async function isReplicating({ source, target }: MoveEnds): Promise<boolean> {
  return (await stateOfSlot(source.database)) !== 'lost' && (await isSubscribed(target.database));
}

async function stateOfSlot(database: Pick<Database, 'rows'>): Promise<'active' | 'inactive' | 'lost'> {
  const [[isActive] = []] = await database.rows({
    text: `SELECT active FROM pg_replication_slots WHERE slot_name = ${slotName} AND wal_status <> 'lost'`,
  });
  if (isActive === undefined) return 'lost';
  return isActive === 't' ? 'active' : 'inactive';
}

export const isSubscribed = async (database: Pick<Database, 'rows'>): Promise<boolean> =>
  (await database.rows({ text: `SELECT 1 FROM pg_subscription WHERE ${ours}` })).length > 0;

/** Copies these tables, and replicates them from then on. A table that has replaced one of them is copied again. */
export async function replicate(
  { source, target }: MoveEnds,
  tables: readonly string[],
  progress: (done: number, total: number) => void,
): Promise<void> {
  const published = await publishedTables(source.database);
  const missing = tables.filter((table) => !published.includes(table));
  if (missing.length > 0) {
    // What was replaced must be out of the subscription before its rows are deleted.
    await target.database.rows({ text: refresh });
    const empty = await emptyOnes(target.database, missing);
    const replaced = missing.filter((table) => !empty.includes(table));
    if (replaced.length > 0) await target.database.rows({ text: emptying(replaced) });
    await source.database.rows({ text: `ALTER PUBLICATION svc_move ADD TABLE ${listed(missing)}` });
  }
  const [[subscribed] = []] = await target.database.rows({
    text: `SELECT count(*) FROM ${subscribedTables}`,
  });
  if (missing.length > 0 || Number(subscribed) !== published.length)
    await target.database.rows({ text: refresh });
  await untilCopied({ source, target }, progress);
}

export async function publishedTables(database: Pick<Database, 'rows'>): Promise<readonly string[]> {
  const rows = await database.rows({
    text: "SELECT tablename FROM pg_publication_tables WHERE pubname = 'svc_move' AND schemaname = current_schema()",
  });
  return rows.map(([name]) => name ?? '');
}

/** Ends the replication at the target; connects to no other server. */
export async function unsubscribe(database: Pick<Database, 'rows'>): Promise<void> {
  if (!(await isSubscribed(database))) return;
  await database.rows({ text: 'ALTER SUBSCRIPTION svc_move DISABLE' });
  await database.rows({ text: 'ALTER SUBSCRIPTION svc_move SET (slot_name = NONE)' });
  await database.rows({ text: 'DROP SUBSCRIPTION svc_move' });
}

/** A slot that is left would keep all WAL that is written from then on. */
export async function unpublish(database: Pick<Database, 'rows'>): Promise<void> {
  await dropSlots(database);
  await database.rows({ text: 'DROP PUBLICATION IF EXISTS svc_move' });
}

/** The server that a store leaves: has the target received, and written to its disk, all up to this position? */
export async function hasReceived(database: Pick<Database, 'rows'>, lsn: string): Promise<boolean> {
  const [[has] = []] = await database.rows({
    text: `SELECT confirmed_flush_lsn >= $1::pg_lsn FROM pg_replication_slots WHERE slot_name = ${slotName}`,
    values: [lsn],
  });
  return has === 't';
}

/** What is still to be sent, in bytes of WAL. */
async function lagOf(database: Pick<Database, 'rows'>): Promise<number> {
  const [[bytes] = []] = await database.rows({
    text: `SELECT pg_current_wal_lsn() - confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = ${slotName} AND wal_status <> 'lost'`,
  });
  return Number(bytes ?? Number.POSITIVE_INFINITY);
}

/** The target has everything but what is written at this moment. */
export async function untilCaughtUp(ends: MoveEnds): Promise<void> {
  const mustWork = await failureWatch(ends);
  for (; (await lagOf(ends.source.database)) > closeBytes; await delay(pollMs)) await mustWork();
}

const pollMs = 200;
const closeBytes = 4 << 20;
const databaseOid = '(SELECT d.oid FROM pg_database d WHERE d.datname = current_database())';
/** Slots have names in the whole server. */
export const slotName = `'svc_move_' || ${databaseOid}`;
const ours = `subname = 'svc_move' AND subdbid = ${databaseOid}`;
const subscribedTables = `pg_subscription_rel r JOIN pg_subscription s ON s.oid = r.srsubid AND ${ours}`;
const refresh = 'ALTER SUBSCRIPTION svc_move REFRESH PUBLICATION';

async function untilCopied(ends: MoveEnds, progress: (done: number, total: number) => void): Promise<void> {
  const mustWork = await failureWatch(ends);
  for (;;) {
    const [[done, total] = []] = await ends.target.database.rows({
      text: `SELECT count(*) FILTER (WHERE r.srsubstate = 'r'), count(*) FROM ${subscribedTables}`,
    });
    progress(Number(done), Number(total));
    if (done === total) return;
    await mustWork();
    await delay(pollMs);
  }
}

/** The target retries what fails for ever, and only its log says why. */
async function failureWatch({ source, target }: MoveEnds): Promise<() => Promise<void>> {
  const failures = async (): Promise<number> => {
    const [[count] = []] = await target.database.rows({
      text: `SELECT apply_error_count + sync_error_count FROM pg_stat_subscription_stats t JOIN pg_subscription s ON s.oid = t.subid WHERE s.${ours}`,
    });
    return Number(count ?? 0);
  };
  const before = await failures();
  let connectedAt = performance.now();
  return async () => {
    const slot = await stateOfSlot(source.database);
    if (slot === 'active') connectedAt = performance.now();
    const isConnected = slot !== 'lost' && performance.now() - connectedAt < maxSilentMs;
    if (isConnected && (await failures()) < before + maxFailures) return;
    throw new Problem('invalid-setup', {
      detail: isConnected
        ? 'The target server cannot replicate the store, and its log says why. Then run svc store move resume, or abort.'
        : 'The target server is not connected to the one that the store leaves, or that one has removed WAL that is still needed: the log of the target says why. Then run svc store move resume, or abort.',
    });
  };
}

/** A process that replicates is started again within seconds. */
const maxSilentMs = 60_000;
const maxFailures = 3;

export async function emptyOnes(
  database: Pick<Database, 'rows'>,
  tables: readonly string[],
): Promise<readonly string[]> {
  if (tables.length === 0) return [];
  const text = tables.map(
    (table) => `SELECT ${escapeLiteral(table)} WHERE NOT EXISTS (SELECT FROM ${escapeIdentifier(table)})`,
  );
  return (await database.rows({ text: text.join(' UNION ALL ') })).map(([table]) => table ?? '');
}

export const listed = (tables: readonly string[]): string =>
  tables.map((table) => escapeIdentifier(table)).join(', ');

/** Deletes all their rows, of append-only tables too. */
export const emptying = (tables: readonly string[]): string =>
  [
    ...tables.map((table) => `ALTER TABLE ${escapeIdentifier(table)} DISABLE TRIGGER USER`),
    `TRUNCATE ${listed(tables)}`,
    ...tables.map((table) => `ALTER TABLE ${escapeIdentifier(table)} ENABLE TRIGGER USER`),
  ].join('; ');

/** On a busy server, a process takes some seconds to end. */
const slotMs = 30_000;

/** Those of tables that are being copied, too. One that is in use is dropped once its process has ended. */
async function dropSlots(database: Pick<Database, 'rows'>): Promise<void> {
  const slots = `FROM pg_replication_slots WHERE database = current_database()
    AND (slot_name = ${slotName} OR slot_name ~ '^pg_\\d+_sync_\\d+_')`;
  for (const from = performance.now(); performance.now() - from < slotMs; await delay(pollMs / 2)) {
    await database.rows({ text: `SELECT pg_drop_replication_slot(slot_name) ${slots} AND NOT active` });
    const left = await database.rows({ text: `SELECT pg_terminate_backend(active_pid) ${slots} AND active` });
    if (left.length === 0) return;
  }
  throw new Problem('store-unavailable', {
    detail: 'The replication slot of the move is still in use; try again shortly.',
  });
}
