import { partitions } from '../../contracts/reaction-store.js';
import type { Json, Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import { timestampOf } from '../store/stored-rows.js';
import type { ListedProcess } from './reaction-lists.js';

/** An instance with what it waits for; never its context. */
export interface ListedInstance extends Omit<ListedProcess, 'status'> {
  /** `retrying` and `parked`: it is set aside from the line of its process. */
  readonly status: 'running' | 'ended' | 'retrying' | 'parked';
  /** When its next timer is due. */
  readonly nextTimer: Timestamp | null;
}

export interface InstanceFilter {
  readonly name?: string | undefined;
  /** Also the name of an outer state, or of one of several parallel ones. */
  readonly state?: string | undefined;
  readonly status?: ListedInstance['status'] | undefined;
  /** How the key begins. */
  readonly key?: string | undefined;
}

/** The status of an instance is that of its row, unless its key is set aside. */
const instances = `SELECT p.name, p.key, p.version, p.state, coalesce(a.state, p.status) AS status, p.started_at, p.updated_at,
    coalesce(p.error, a.error) AS error, p.trail
  FROM svc_processes p LEFT JOIN LATERAL (
    SELECT w.state, w.error FROM generate_series(0, ${partitions - 1}) i
      JOIN svc_stuck_work w ON w.follower = 'process/' || p.name || '/' || i AND w.key = p.key LIMIT 1) a ON true`;

const columns = `name, key, version, state, status, started_at, updated_at, error,
  (SELECT min(due_at) FROM svc_timers t WHERE t.key = i.key AND t.name = i.name AND t.kind = 'process' AND NOT t.parked)`;

/** Instances, last changed first. */
export async function listInstances(
  database: Pick<Database, 'rows'>,
  { name, state, status, key }: InstanceFilter,
  limit: number,
): Promise<readonly ListedInstance[]> {
  const rows = await database.rows({
    text: `SELECT ${columns} FROM (SELECT * FROM (${instances}) all_of_them
        WHERE ($1::text IS NULL OR name = $1) AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR starts_with(key, $4))
          AND ($2::text IS NULL OR EXISTS (SELECT FROM unnest(string_to_array(state, ', ')) s WHERE s = $2 OR starts_with(s, $2 || '.')))
        ORDER BY updated_at DESC, name, key LIMIT $5) i ORDER BY updated_at DESC, name, key`,
    values: [name ?? null, state ?? null, status ?? null, key ?? null, limit],
  });
  return rows.map(instanceOf);
}

/** How many instances of each process are in each state. */
export async function countInstances(database: Pick<Database, 'rows'>): Promise<
  readonly {
    readonly name: string;
    readonly state: string;
    readonly status: string;
    readonly count: number;
  }[]
> {
  const rows = await database.rows({
    text: `SELECT name, state, status, count(*) FROM (${instances}) i GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  });
  return rows.map(([name, state, status, count]) => ({
    name: name ?? '',
    state: state ?? '',
    status: status ?? '',
    count: Number(count),
  }));
}

/** One instance and its last steps. */
export async function readInstance(
  database: Pick<Database, 'rows'>,
  name: string,
  key: string,
): Promise<{ readonly instance: ListedInstance; readonly trail: Json } | undefined> {
  const [row] = await database.rows({
    text: `SELECT ${columns}, trail FROM (${instances} WHERE p.name = $1 AND p.key = $2) i`,
    values: [name, key],
  });
  return row && { instance: instanceOf(row), trail: JSON.parse(row[9] ?? '[]') as Json };
}

function instanceOf([
  name,
  key,
  version,
  state,
  status,
  startedAt,
  updatedAt,
  error = null,
  due = null,
]: Row): ListedInstance {
  return {
    name: name ?? '',
    key: key ?? '',
    version: Number(version),
    state: state ?? '',
    status: status as ListedInstance['status'],
    startedAt: timestampOf(startedAt),
    updatedAt: timestampOf(updatedAt),
    error,
    nextTimer: due === null ? null : timestampOf(due),
  };
}

/** How often instances went from one state to another by an event. */
export interface StepCount {
  readonly event: string;
  /** Null: the event started it. */
  readonly from: string | null;
  readonly to: string;
  readonly count: number;
}

/** What the last steps of the instances that changed last add up to. */
export async function countSteps(
  database: Pick<Database, 'rows'>,
  name: string,
  examined: number,
): Promise<readonly StepCount[]> {
  const rows = await database.rows({
    text: `SELECT s ->> 'event', s ->> 'from', s ->> 'to', count(*)
      FROM (SELECT trail FROM svc_processes WHERE name = $1 ORDER BY updated_at DESC, key LIMIT $2) p,
        json_array_elements(p.trail) s GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3`,
    values: [name, examined],
  });
  return rows.map(([event, from = null, to, count]) => ({
    event: event ?? '',
    from,
    to: to ?? '',
    count: Number(count),
  }));
}

/** An event of the log, without its body. */
export interface EventAt {
  readonly position: Long;
  readonly eventType: string;
  readonly streamId: Uuid;
  readonly streamPosition: Long;
  readonly correlationId: string | null;
}

/** The events at these positions, as far as they are domain events that are still attached. */
export async function eventsAt(
  database: Pick<Database, 'rows'>,
  positions: readonly Long[],
): Promise<ReadonlyMap<Long, EventAt>> {
  if (positions.length === 0) return new Map();
  const rows = await database.rows({
    text: `SELECT global_position, event_type, stream_id, stream_position, metadata ->> 'correlationId'
      FROM svc_events WHERE global_position = ANY($1::bigint[])`,
    values: [positions],
  });
  return new Map(
    rows.map(([position, eventType, streamId, streamPosition, correlationId = null]) => [
      Number(position),
      {
        position: Number(position),
        eventType: eventType ?? '',
        streamId: streamId ?? '',
        streamPosition: Number(streamPosition),
        correlationId,
      },
    ]),
  );
}
