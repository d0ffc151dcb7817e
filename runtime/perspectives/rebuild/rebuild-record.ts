import type { RebuildMode } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import type { Long, Timestamp, Uuid } from '../../../contracts/scalars.js';
import type { Database, Row, Session } from '../../database/database.js';
import { notify } from '../../database/notify.js';

/** Keys that are parked, each with the global position of the event that failed. */
export type ParkedPositions = ReadonlyMap<string, Long>;

/** A rebuild as it is stored. */
export interface RebuildRecord {
  readonly id: Uuid;
  readonly table: string;
  readonly name: string;
  readonly mode: RebuildMode;
  readonly streams: readonly Uuid[];
  readonly maxRate: number | undefined;
  /** The model goes live even if rows that readers had cannot be folded anymore. */
  readonly force: boolean;
  readonly state: string;
  /** Everything up to here is in the tables. */
  readonly position: Long;
  readonly target: Long;
  readonly events: number;
  readonly rows: number;
  /** Rows that must be folded again, in order and event by event. */
  readonly deferredKeys: readonly string[];
  readonly totalStreams: number;
  readonly totalEvents: number;
  readonly shownStreams: number;
  readonly shownEvents: number;
  /** For InPlace: the rows that were parked before the table was emptied. */
  readonly parkedBefore: ParkedPositions | undefined;
  /** How many rows that readers had could not be folded and were given up by force. */
  readonly lostRows: number;
  readonly startedAt: Timestamp;
  readonly error: string | undefined;
  readonly isEnded: boolean;
  /** From its start to its end, or until now. */
  readonly seconds: number;
}

export type Rows = Pick<Database, 'rows'> | Pick<Session, 'rows'>;

export const rebuildLeaseMs = 10_000;

/** No worker holds it, or its lease is from before the clock was set back. */
export const rebuildIsFree = `svc_lease_is_over(lease_until, ${rebuildLeaseMs})`;

/** Acquires an open rebuild that no other worker holds. */
export async function acquireRebuild(
  owner: Rows,
  id: Uuid,
  worker: Uuid,
  leaseMs = rebuildLeaseMs,
): Promise<RebuildRecord | undefined> {
  const [row] = await owner.rows({
    text: `UPDATE svc_rebuilds SET owner = $2, lease_until = clock_timestamp() + $3 * interval '1 ms',
        started_at = coalesce(started_at, clock_timestamp())
      WHERE id = $1 AND ended_at IS NULL AND (${rebuildIsFree} OR owner = $2) RETURNING ${record}`,
    values: [id, worker, leaseMs],
  });
  return row && recordOf(row);
}

/** Renews the lease and stores the progress; false when it is to be cancelled, undefined when another worker holds it. */
export async function renewRebuild(
  owner: Rows,
  { id }: RebuildRecord,
  worker: Uuid,
  shown: { readonly streams: number; readonly events: number },
  leaseMs = rebuildLeaseMs,
): Promise<boolean | undefined> {
  const [row] = await owner.rows({
    text: `UPDATE svc_rebuilds SET lease_until = clock_timestamp() + $3 * interval '1 ms', shown_streams = $4, shown_events = $5
      WHERE id = $1 AND owner = $2 AND ended_at IS NULL RETURNING cancel`,
    values: [id, worker, leaseMs, shown.streams, shown.events],
  });
  return row === undefined ? undefined : row[0] !== 't';
}

/** Lets another worker acquire it immediately. */
export async function releaseRebuild(owner: Rows, { id }: RebuildRecord, worker: Uuid): Promise<void> {
  const text = "UPDATE svc_rebuilds SET lease_until = '-infinity' WHERE id = $1 AND owner = $2";
  await owner.rows({ text, values: [id, worker] });
  await notify(owner, 'svc_lease');
}

/** The mutable parts of a record; changed in the transaction that makes them true. */
export type RebuildChange = Partial<
  Pick<
    RebuildRecord,
    | 'state'
    | 'position'
    | 'target'
    | 'events'
    | 'rows'
    | 'deferredKeys'
    | 'totalStreams'
    | 'totalEvents'
    | 'shownStreams'
    | 'shownEvents'
    | 'parkedBefore'
    | 'lostRows'
  >
> & { readonly error?: string; readonly isEnded?: boolean };

const columnOf: Readonly<Record<keyof RebuildChange, string>> = {
  state: 'state',
  position: 'position',
  target: 'target',
  events: 'events',
  rows: 'row_count',
  deferredKeys: 'careful',
  totalStreams: 'total_streams',
  totalEvents: 'total_events',
  shownStreams: 'shown_streams',
  shownEvents: 'shown_events',
  parkedBefore: 'parked_before',
  lostRows: 'lost_rows',
  error: 'error',
  isEnded: 'ended_at',
};

export async function changeRebuild(
  owner: Rows,
  { id, name }: RebuildRecord,
  worker: Uuid,
  change: RebuildChange,
): Promise<void> {
  const { isEnded, ...values } = change;
  const names = Object.keys(values) as (keyof typeof values)[];
  const sets = names.map((key, index) => `${columnOf[key]} = $${index + 3}`);
  if (isEnded === true) sets.push('ended_at = clock_timestamp()', "lease_until = '-infinity'");
  const rows = await owner.rows({
    text: `UPDATE svc_rebuilds SET ${sets.join(', ')} WHERE id = $1 AND owner = $2 AND ended_at IS NULL RETURNING 1`,
    values: [id, worker, ...names.map((key) => valueOf(values[key]))],
  });
  if (rows.length === 0)
    throw new Problem('rebuild-under-way', {
      detail: `The rebuild of ${name} has been taken over by another host.`,
    });
}

/** Begins at its start, or when it was requested. */
const begunAt = 'coalesce(started_at, requested_at)';

const expressions: Readonly<Record<keyof RebuildRecord, string>> = {
  ...columnOf,
  id: 'id',
  table: 'table_name',
  name: 'name',
  mode: 'mode',
  streams: 'streams',
  maxRate: 'max_rate',
  force: 'force',
  startedAt: `svc_iso_time(${begunAt})`,
  isEnded: 'ended_at IS NOT NULL',
  seconds: `extract(epoch FROM coalesce(ended_at, clock_timestamp()) - ${begunAt})`,
};

/** A row as JSON. */
const record = `json_build_object(${Object.entries(expressions)
  .map(([name, expression]) => `'${name}', ${expression}`)
  .join(', ')})`;

/** The rebuilds that have not ended, and whether they are free. */
export async function openRebuilds(
  database: Rows,
): Promise<readonly (RebuildRecord & { readonly isFree: boolean })[]> {
  const text = `SELECT ${record}, ${rebuildIsFree} FROM svc_rebuilds WHERE ended_at IS NULL`;
  return (await database.rows({ text })).map((row) => ({ ...recordOf(row), isFree: row[1] === 't' }));
}

export async function rebuildRecord(database: Rows, id: Uuid): Promise<RebuildRecord | undefined> {
  const text = `SELECT ${record} FROM svc_rebuilds WHERE id = $1`;
  const [row] = await database.rows({ text, values: [id] });
  return row && recordOf(row);
}

const valueOf = (value: RebuildChange[keyof RebuildChange]): unknown =>
  value instanceof Map ? JSON.stringify([...value]) : value;

export const parkedPositionsOf = (json: string | null | undefined): ParkedPositions | undefined =>
  typeof json === 'string' ? new Map(JSON.parse(json) as [string, Long][]) : undefined;

function recordOf([json]: Row): RebuildRecord {
  const { maxRate, error, parkedBefore, ...rest } = JSON.parse(json ?? '{}') as StoredRecord;
  return {
    ...rest,
    maxRate: maxRate ?? undefined,
    error: error ?? undefined,
    parkedBefore: parkedBefore === null ? undefined : new Map(parkedBefore),
  };
}

interface StoredRecord extends Omit<RebuildRecord, 'maxRate' | 'error' | 'parkedBefore'> {
  readonly maxRate: number | null;
  readonly error: string | null;
  readonly parkedBefore: readonly [string, Long][] | null;
}
