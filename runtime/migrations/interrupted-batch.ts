import {
  MigrationFailureReason,
  type MigrationBatchItemResult,
  MigrationStatus,
} from '../../contracts/migration.js';
import { MigrationItemCompleted, MigrationItemFailed } from '../../contracts/events/migration.js';
import { durationOf, type Uuid } from '../../contracts/scalars.js';
import type { Row, Session } from '../database/database.js';
import { batchEnded, type MigrationEvent } from './outcome-events.js';
import type { LedgerRow } from './plan.js';

/** A batch that the ledger keeps until its end is stored. */
interface OpenBatch {
  readonly id: Uuid;
  readonly library: string;
  readonly keys: readonly string[];
  /** Its events are stored after this position. */
  readonly from: string;
}

/** Records the start of a batch; only the holder of the migration lock does. */
export async function noteBegun(
  session: Session,
  id: Uuid,
  library: string,
  keys: readonly string[],
): Promise<void> {
  const [last] = (await hasStream(session))
    ? await session.rows({ text: 'SELECT coalesce(max(stream_position), 0) FROM svc_system_events' })
    : [];
  await session.rows({
    text: 'INSERT INTO svc_migration_batches VALUES ($1, $2, $3, $4, clock_timestamp())',
    values: [id, library, keys, Number(last?.[0] ?? 0) + 1],
  });
}

async function hasStream(session: Session): Promise<boolean> {
  const [row] = await session.rows({ text: `SELECT to_regclass('svc_system_events') IS NOT NULL` });
  return row?.[0] === 't';
}

/** The end of every started batch is stored. */
export async function noteEnded(session: Session): Promise<void> {
  await session.rows({ text: 'DELETE FROM svc_migration_batches' });
}

/** The missing events of batches whose process has died: an end for each started item, and the end of the batch. */
export async function interruptedEvents(
  session: Session,
  ledger: readonly LedgerRow[],
): Promise<MigrationEvent[]> {
  if (!(await hasStream(session))) return [];
  const rows = await session.rows({
    text: 'SELECT id, library_version, to_json(keys), from_position FROM svc_migration_batches ORDER BY begun_at',
  });
  const all: MigrationEvent[] = [];
  for (const batch of rows.map(openBatch)) {
    const stored = await session.rows({
      text: `SELECT event_type, data ->> 'migrationKey', data ->> 'newHash', data ->> 'status',
          coalesce(data ->> 'statusDescription', data ->> 'error'), extract(epoch FROM recorded_at) * 1000
        FROM svc_system_events WHERE stream_position >= $1 AND event_type LIKE 'Migration%' AND data ->> 'streamId' = $2
        ORDER BY stream_position`,
      values: [batch.from, batch.id],
    });
    all.push(...endOf(batch, stored, ledger));
  }
  return all;
}

const openBatch = ([id, library, keys, from]: Row): OpenBatch => ({
  id: id ?? '',
  library: library ?? '',
  keys: JSON.parse(keys ?? '[]') as string[],
  from: from ?? '1',
});

function endOf(batch: OpenBatch, stored: readonly Row[], ledger: readonly LedgerRow[]): MigrationEvent[] {
  const isOpen = stored.length > 0 && !stored.some(([type]) => type === 'MigrationBatchCompleted');
  if (!isOpen) return [];
  const ended = new Map<string, MigrationBatchItemResult>();
  for (const [type, key, , status, description] of stored) {
    if (type !== 'MigrationItemCompleted' && type !== 'MigrationItemFailed') continue;
    ended.set(key ?? '', result(key ?? '', Number(status) as MigrationStatus, description ?? ''));
  }
  const cut = stored.find(([type, key]) => type === 'MigrationItemStarted' && !ended.has(key ?? ''));
  const itemEnd = cut === undefined ? undefined : endOfItem(batch.id, cut, ledger);
  if (itemEnd !== undefined) ended.set(itemEnd.migrationKey, resultOf(itemEnd));
  const tookMs = Number(stored.at(-1)?.[5]) - Number(stored[0]?.[5]);
  const results = batch.keys.map(
    (key) => ended.get(key) ?? result(key, MigrationStatus.Failed, 'not run: the process ended'),
  );
  return [...(itemEnd === undefined ? [] : [itemEnd]), batchEnded(batch.id, results, batch.library, tookMs)];
}

/** The item may be done all the same: the ledger is written together with the work, its event after it. */
function endOfItem(
  streamId: Uuid,
  [, key, hash]: Row,
  ledger: readonly LedgerRow[],
): MigrationItemCompleted | MigrationItemFailed {
  const row = ledger.find((one) => one.key === key);
  const common = { streamId, migrationKey: key ?? '', duration: durationOf(0) };
  if (row !== undefined && row.hash === hash && row.status !== MigrationStatus.Failed) {
    const status = row.status as MigrationStatus;
    return new MigrationItemCompleted({
      ...common,
      status,
      statusDescription: 'done when the process ended',
    });
  }
  const error = 'the process ended before it was done';
  const failureReason = MigrationFailureReason.Unknown;
  return new MigrationItemFailed({ ...common, status: MigrationStatus.Failed, failureReason, error });
}

const resultOf = (end: MigrationItemCompleted | MigrationItemFailed): MigrationBatchItemResult =>
  result(
    end.migrationKey,
    end.status,
    end instanceof MigrationItemFailed ? end.error : end.statusDescription,
  );

const result = (migrationKey: string, status: MigrationStatus, statusDescription: string) => ({
  migrationKey,
  status,
  statusDescription,
});
