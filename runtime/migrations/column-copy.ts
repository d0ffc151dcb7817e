import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationFailureReason } from '../../contracts/migration.js';
import type { Session } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { type CopyState, readColumn } from './column-copy-catalog.js';
import { type CopySql, copySql } from './column-copy-sql.js';
import { oneByOne } from './direct-ddl.js';
import { during, failureOf, MigrationFailure } from './failure.js';
import type { ColumnCopy } from './sql-file-header.js';
import { inTransaction, type LockRetry } from '../database/lock-retry.js';
import { statementsOf } from './split-statements.js';

interface CopyPorts {
  readonly session: Session;
  readonly lockRetry: LockRetry;
  /** Writes the ledger entry, as part of the swap. */
  recorded(): Promise<void>;
  readonly progress: (done: number, total: number) => void;
}

/**
 * Changes the type or the values of a column while its table is in use: a trigger keeps a second column equal, which is
 * filled in batches, verified, then renamed in one short transaction. An interrupted copy resumes where it was.
 */
export async function columnCopy(copy: ColumnCopy, ports: CopyPorts): Promise<void> {
  const { session, lockRetry } = ports;
  const sql = copySql(copy);
  const column = await during('expanding', () => readColumn(session, copy, sql.constraint));
  if (await during('expanding', () => isDone(session, copy, column))) return ports.recorded();
  try {
    await during('expanding', () => expand(session, lockRetry, sql, column));
    failpoint('column-copy-expanded');
    await during('copying', () => backfill(sql, ports));
    await during('copying', () => constrain(ports, sql, column));
    failpoint('column-copy-filled');
    await during('swapping', () =>
      inTransaction(session, lockRetry, async () => {
        await ports.recorded();
        failpoint('column-copy-swapping');
        await session.rows({ text: committed(sql.swap(column)) });
      }),
    );
  } catch (error) {
    throw await undoCopy(error, session, lockRetry, sql);
  }
  await session.rows({ text: sql.analyze });
}

/** COMMIT on the server: no lock waits for a client that is slow to send it. */
const committed = (sql: string): string => `${sql};\nCOMMIT`;

/** A table that was created with the type needs no copy. */
async function isDone(
  session: Session,
  { column, type, using }: ColumnCopy,
  state: CopyState,
): Promise<boolean> {
  if (using !== `${column}::${type}`) return false;
  await session.rows({ text: `CREATE TEMP TABLE svc_probe (x ${type})` });
  const [row] = await session.rows({
    text: `SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'pg_temp.svc_probe'::regclass AND attname = 'x'`,
  });
  await session.rows({ text: 'DROP TABLE pg_temp.svc_probe' });
  return row?.[0] === state.type;
}

/** Removes leftovers of an earlier, different attempt first. */
async function expand(session: Session, lockRetry: LockRetry, sql: CopySql, state: CopyState): Promise<void> {
  await session.rows({ text: sql.probe });
  await inTransaction(session, lockRetry, async () => {
    if (state.begunBy !== null && state.begunBy !== sql.mark) await session.rows({ text: sql.undo });
    await session.rows({ text: committed(sql.expand) });
  });
}

const targetMs = 30;
const maxPages = 4_096;

/** Fills the rows that existed when the trigger was created, page by page; the trigger covers later changes. */
async function backfill(sql: CopySql, { session, lockRetry, progress }: CopyPorts): Promise<void> {
  await session.rows({ text: 'SET synchronous_commit = off' });
  await backfillPass(sql, session, progress);
  const until = performance.now() + lockRetry.retryForMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    const [row] = await session.rows({ text: sql.verify });
    if (row?.[0] === '0') break;
    if (performance.now() + pauseMs > until) {
      throw new MigrationFailure(
        MigrationFailureReason.DataCopyFailed,
        `${row?.[0] ?? ''} rows still differ from their new value; they are locked, or the expression returns another value each time.`,
      );
    }
    await sleep(pauseMs);
    await backfillPass(sql, session, () => undefined);
  }
  await session.rows({ text: 'SET synchronous_commit = on' });
}

async function backfillPass(sql: CopySql, session: Session, progress: CopyPorts['progress']): Promise<void> {
  const [size] = await session.rows({ text: sql.pages });
  const pages = Number(size?.[0] ?? 0);
  for (let from = 0, step = 16; from < pages;) {
    const to = from + step;
    const began = performance.now();
    await session.rows({ text: sql.backfill, values: [`(${from},0)`, `(${to},0)`] });
    failpoint('column-copy-batch');
    const tookMs = performance.now() - began;
    progress(Math.min(to, pages), pages);
    // Larger steps lock more rows at once, and their writers wait as long as a step takes.
    step = Math.max(1, Math.min(maxPages, Math.round(step * Math.min(2, targetMs / Math.max(1, tookMs)))));
    from = to;
    await sleep(tookMs / 4);
  }
}

/** Indexes and NOT NULL are ready before the swap, so that the swap reads no rows. */
async function constrain({ session, lockRetry }: CopyPorts, sql: CopySql, column: CopyState): Promise<void> {
  for (const { create } of column.indexes) {
    await oneByOne(session, create, statementsOf(create), 0, () => Promise.resolve());
  }
  if (!column.isRequired) return;
  if (!column.isConstrained || column.begunBy !== sql.mark) {
    await inTransaction(session, lockRetry, () => session.rows({ text: committed(sql.require) }));
  }
  await session.rows({ text: sql.validate });
}

/** Returns the failure; the copy is undone, so that no trigger outlives it. */
async function undoCopy(
  error: unknown,
  session: Session,
  lockRetry: LockRetry,
  sql: CopySql,
): Promise<MigrationFailure> {
  const failure = failureOf(error, 'copying');
  try {
    await session.rows({ text: 'SET synchronous_commit = on' });
    await inTransaction(session, { ...lockRetry, retryForMs: Math.min(lockRetry.retryForMs, 10_000) }, () =>
      session.rows({ text: sql.undo }),
    );
    return failure;
  } catch {
    return new MigrationFailure(
      failure.reason,
      `${failure.message} (its trigger still exists, the next start continues with it)`,
      failure,
    );
  }
}
