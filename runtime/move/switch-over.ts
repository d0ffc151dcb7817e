import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from '../database/database.js';
import { escapeIdentifier, escapeLiteral } from '../database/pg-exports.js';
import { sqlStateOf } from '../database/sql-error.js';
import { failpoint } from '../lang/failpoint.js';
import { thrownMessage } from '../lang/thrown.js';
import { copiedTables } from './copied-tables.js';
import type { MoveEnds } from './move-ends.js';
import { hasReceived, publishedTables } from './replication.js';

/** Less than writers may wait, as the target has to open afterwards. */
const holdMs = 3_500;
const pollMs = 20;

/** The server ends the wait of writers if this process stalls; before version 17, it cannot limit the whole transaction. */
const holding = `BEGIN; SET LOCAL lock_timeout = '1500ms'; SET LOCAL statement_timeout = '3s'; SET LOCAL idle_in_transaction_session_timeout = '2s';
  SELECT set_config(name, '4500ms', true) FROM pg_settings WHERE name = 'transaction_timeout'; SELECT svc_hold_store()`;

const lockNotAvailable = '55P03';

const deciding = `UPDATE svc_move SET state = 'moved'; COMMIT`;

/**
 * Makes all writers wait until the target has everything, then decides that the target is the store. Until the decision is
 * committed, whatever ends this connection lets writers continue here. Returns why it was given up, if it was.
 */
export async function switchOver(ends: MoveEnds): Promise<string | undefined> {
  const held = await ends.source.database.session();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    held.release(true);
  }, holdMs);
  try {
    await held.rows({ text: holding });
    failpoint('move-held');
    const missing = await whatIsMissing(ends, held, () => isOver);
    if (missing !== undefined) return missing;
    failpoint('move-drained');
    clearTimeout(timer);
    await held.rows({ text: deciding, isAcknowledged: true });
    failpoint('move-decided');
    return undefined;
  } catch (error) {
    if (isOver) return 'the target was not ready in time';
    return sqlStateOf(error) === lockNotAvailable
      ? 'a transaction was writing for too long'
      : thrownMessage(error);
  } finally {
    clearTimeout(timer);
    if (!isOver) held.release(true);
  }
}

/** While nobody writes. */
async function whatIsMissing(
  { source, target }: MoveEnds,
  held: Pick<Session, 'rows'>,
  isOver: () => boolean,
): Promise<string | undefined> {
  const published = new Set(await publishedTables(held));
  const tables = await copiedTables(held);
  const added = tables.find((table) => !published.has(table));
  if (added !== undefined) return `the table ${added} was made meanwhile`;
  // Its commit writes everything before it to the disk, from where it is sent.
  const [[lsn] = []] = await source.database.rows({
    text: "SELECT pg_logical_emit_message(true, 'svc', '')",
  });
  while (!(await hasReceived(source.database, lsn ?? ''))) {
    if (isOver()) return 'the target has not received everything in time';
    await delay(pollMs);
  }
  const text = contentsOf(tables);
  const [here, there] = await Promise.all([held.rows({ text }), target.database.rows({ text })]);
  const arrived = new Map(there.map(([name, content]) => [name, content]));
  const different = here.find(([name, content]) => arrived.get(name ?? '') !== content);
  if (different !== undefined) return `${different[0] ?? ''} is not the same at the target`;
  // Replication leaves them out.
  const [[sequences] = []] = await held.rows({ text: sequencesText });
  await target.database.rows({ text: setSequences, values: [sequences] });
  return undefined;
}

/** A digest of the last positions of both logs, and the number of rows of each table, counted up to 10,000. */
const contentsOf = (tables: readonly string[]): string =>
  [
    `SELECT 'the log', concat_ws(' ', h.head, d.r_events, d.r_records, encode(d.r_events_sha256, 'hex'), encode(d.r_records_sha256, 'hex'))
      FROM (SELECT svc_head() AS head) h, svc_segment_digest(greatest(h.head - 4095, 0), h.head + 1, 0, 0, '', '') d`,
    ...tables.map(
      (table) =>
        `SELECT ${escapeLiteral(table)}, count(*)::text FROM (SELECT 1 FROM ${escapeIdentifier(table)} LIMIT 10000) r`,
    ),
  ].join(' UNION ALL ');

const sequencesText = `SELECT json_agg(json_build_object('name', sequencename, 'last', last_value)) FROM pg_sequences
  WHERE schemaname = current_schema() AND last_value IS NOT NULL`;

const setSequences = `SELECT setval(quote_ident(s.name)::regclass, s.last) FROM json_to_recordset($1) s(name text, last bigint)`;
