import { partitions } from '../../contracts/reaction-store.js';
import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { ProcessStatus } from '../../contracts/unit-lists.js';
import type { Database } from '../database/database.js';
import { countRows, readObjects, readWithoutNulls } from '../database/read-objects.js';

type Rows = Pick<Database, 'rows'>;

/** An instance with what it waits for; never its context. */
export interface ListedInstance {
  readonly name: string;
  readonly key: string;
  readonly version: number;
  readonly state: string;
  /** `retrying` and `parked`: it is set aside from the line of its process. */
  readonly status: 'running' | 'ended' | 'retrying' | 'parked';
  readonly startedAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly error: string | null;
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

const columns = `name, key, version, state, status, svc_time_text(started_at) AS "startedAt", svc_time_text(updated_at) AS "updatedAt", error,
  (SELECT svc_time_text(min(due_at)) FROM svc_timers t WHERE t.key = i.key AND t.name = i.name AND t.kind = 'process' AND NOT t.parked) AS "nextTimer"`;

/** Instances, last changed first. */
export const listInstances = (
  database: Rows,
  { name, state, status, key }: InstanceFilter,
  limit: number,
): Promise<readonly ListedInstance[]> =>
  readObjects(database, {
    text: `SELECT ${columns} FROM (SELECT * FROM (${instances}) all_of_them
        WHERE ($1::text IS NULL OR name = $1) AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR starts_with(key, $4))
          AND ($2::text IS NULL OR EXISTS (SELECT FROM unnest(string_to_array(state, ', ')) s WHERE s = $2 OR starts_with(s, $2 || '.')))
        ORDER BY updated_at DESC, name, key LIMIT $5) i ORDER BY updated_at DESC, name, key`,
    values: [name ?? null, state ?? null, status ?? null, key ?? null, limit],
  });

interface InstanceCount extends Pick<ListedInstance, 'name' | 'state' | 'status'> {
  readonly count: number;
}

/** How many instances of each process are in each state. */
export const countInstances = (database: Rows): Promise<readonly InstanceCount[]> =>
  readObjects(database, {
    text: `SELECT name, state, status, count(*) FROM (${instances}) i GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  });

/** One instance and its last steps. */
export async function readInstance(
  database: Rows,
  name: string,
  key: string,
): Promise<(ListedInstance & { readonly trail: readonly unknown[] }) | undefined> {
  const text = `SELECT ${columns}, trail FROM (${instances} WHERE p.name = $1 AND p.key = $2) i`;
  return (await readObjects<never>(database, { text, values: [name, key] }))[0];
}

/** One event that a process took. */
interface TrailStep {
  readonly at: Timestamp;
  readonly event: string;
  readonly from: string | null;
  readonly to: string;
}

/** An instance of a process as its row has it; never its context. */
export interface ShownProcess {
  readonly name: string;
  readonly key: string;
  readonly version: number;
  readonly state: string;
  readonly status: ProcessStatus;
  /** What it waits for, and the type of the event that each raises. */
  readonly timers: readonly { readonly id: Uuid; readonly dueAt: Timestamp; readonly event: string }[];
  /** Why it is parked. */
  readonly error?: string;
}

export interface TracedProcess extends ShownProcess {
  /** The last steps, oldest first. */
  readonly trail: readonly TrailStep[];
}

/** Without null: the event started the process. */
interface StoredStep extends Omit<TrailStep, 'from'> {
  readonly from?: string;
}

interface ProcessSelection {
  readonly name?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly status?: string | null | undefined;
}

const selected = `svc_processes WHERE ($1::text IS NULL OR name = $1) AND ($2::text IS NULL OR state = $2)
  AND ($3::text IS NULL OR status = $3)`;

const valuesOf = ({ name, state, status }: ProcessSelection): unknown[] => [
  ...[name ?? null, state ?? null, status ?? null],
];

const shownColumns = `name, key, version, state, status, (SELECT coalesce(json_agg(json_build_object('id', t.id,
    'dueAt', svc_time_text(t.due_at), 'event', t.data -> 'event' ->> 'type') ORDER BY t.due_at, t.id), '[]')
  FROM svc_timers t WHERE t.key = p.key AND t.name = p.name AND t.kind = 'process') AS timers, error`;

/** Instances with their timers, last changed first. */
export const showProcesses = (
  database: Rows,
  { limit, ...selection }: ProcessSelection & { readonly limit: number },
): Promise<readonly ShownProcess[]> =>
  readWithoutNulls(database, {
    text: `SELECT ${shownColumns} FROM (SELECT * FROM ${selected} ORDER BY updated_at DESC, name, key LIMIT $4) p
      ORDER BY updated_at DESC, name, key`,
    values: [...valuesOf(selection), limit],
  });

/** How many there are, listed or not. */
export const countProcesses = (database: Rows, selection: ProcessSelection): Promise<number> =>
  countRows(database, selected, valuesOf(selection));

/** One instance with its way; undefined: there is none. */
export async function showProcess(
  database: Rows,
  name: string,
  key: string,
): Promise<TracedProcess | undefined> {
  const [process] = await readWithoutNulls<ShownProcess & { readonly trail: readonly StoredStep[] }>(
    database,
    {
      text: `SELECT ${shownColumns}, trail FROM svc_processes p WHERE name = $1 AND key = $2`,
      values: [name, key],
    },
  );
  if (process === undefined) return undefined;
  return {
    ...process,
    trail: process.trail.map(({ at, event, from = null, to }) => ({ at, event, from, to })),
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
export const countSteps = (database: Rows, name: string, examined: number): Promise<readonly StepCount[]> =>
  readObjects(database, {
    text: `SELECT s ->> 'event' AS event, s ->> 'from' AS from, s ->> 'to' AS to, count(*)
      FROM (SELECT trail FROM svc_processes WHERE name = $1 ORDER BY updated_at DESC, key LIMIT $2) p,
        json_array_elements(p.trail) s GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3`,
    values: [name, examined],
  });

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
  database: Rows,
  positions: readonly Long[],
): Promise<ReadonlyMap<Long, EventAt>> {
  if (positions.length === 0) return new Map();
  const events = await readObjects<EventAt>(database, {
    text: `SELECT global_position AS position, event_type AS "eventType", stream_id AS "streamId",
        stream_position AS "streamPosition", metadata ->> 'correlationId' AS "correlationId"
      FROM svc_events WHERE global_position = ANY($1::bigint[])`,
    values: [positions],
  });
  return new Map(events.map((event) => [event.position, event]));
}
