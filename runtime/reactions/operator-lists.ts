import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { ProcessStatus } from '../../contracts/unit-lists.js';
import type { Database } from '../database/database.js';
import { timestampOf } from '../store/stored-rows.js';
import { type ListedProcess, listProcesses, ofReactions } from './reaction-lists.js';

/** A timer that a process waits for. */
interface AwaitedTimer {
  readonly id: Uuid;
  readonly dueAt: Timestamp;
  /** The type of the event that it raises. */
  readonly event: string;
}

/** One event that a process took. */
interface TrailStep {
  readonly at: Timestamp;
  readonly event: string;
  readonly from: string | null;
  readonly to: string;
}

/** An instance of a process, as operators see it; never its context. */
export interface ShownProcess {
  readonly name: string;
  readonly key: string;
  readonly version: number;
  readonly state: string;
  readonly status: ProcessStatus;
  readonly timers: readonly AwaitedTimer[];
  /** Why it is parked. */
  readonly error?: string;
}

export interface TracedProcess extends ShownProcess {
  /** The last steps, oldest first. */
  readonly trail: readonly TrailStep[];
}

interface ProcessSelection {
  readonly name?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly status?: string | null | undefined;
}

type Rows = Pick<Database, 'rows'>;

/** Instances with their timers, last changed first. */
export async function showProcesses(
  database: Rows,
  { name = null, state = null, status = null, limit }: ProcessSelection & { readonly limit: number },
): Promise<readonly ShownProcess[]> {
  const listed = await listProcesses(database, { name, state, status, limit });
  const timers = await timersOf(database, listed);
  return listed.map((process) => shown(process, timers));
}

/** One instance with its way; undefined: there is none. */
export async function showProcess(
  database: Rows,
  name: string,
  key: string,
): Promise<TracedProcess | undefined> {
  const [row] = await database.rows({
    text: `SELECT version, state, status, error, trail FROM svc_processes WHERE name = $1 AND key = $2`,
    values: [name, key],
  });
  if (row === undefined) return undefined;
  const [version, state, status, error = null, trail] = row;
  const process = {
    name,
    key,
    version: Number(version),
    state: state ?? '',
    status: status as ProcessStatus,
    error,
  };
  const steps = JSON.parse(trail ?? '[]') as readonly TrailStep[];
  return {
    ...shown(process, await timersOf(database, [process])),
    trail: steps.map(({ at, event, from, to }) => ({ at, event, from, to })),
  };
}

type Instance = Pick<ListedProcess, 'name' | 'key'>;
type Timers = ReadonlyMap<string, readonly AwaitedTimer[]>;

const idOf = ({ name, key }: Instance): string => `${name}/${key}`;

function shown(
  {
    name,
    key,
    version,
    state,
    status,
    error,
  }: Pick<ListedProcess, 'version' | 'state' | 'status' | 'error'> & Instance,
  timers: Timers,
): ShownProcess {
  return {
    name,
    key,
    version,
    state,
    status,
    timers: timers.get(idOf({ name, key })) ?? [],
    ...(error === null ? {} : { error }),
  };
}

async function timersOf(database: Rows, processes: readonly Instance[]): Promise<Timers> {
  const rows = await database.rows({
    text: `SELECT t.name, t.key, t.id, t.due_at, t.data -> 'event' ->> 'type' FROM unnest($1::text[], $2::text[]) p(name, key)
      JOIN svc_timers t ON t.key = p.key AND t.name = p.name WHERE t.kind = 'process' ORDER BY t.due_at, t.id`,
    values: [processes.map(({ name }) => name), processes.map(({ key }) => key)],
  });
  const timers = new Map<string, AwaitedTimer[]>();
  for (const [name, key, id, dueAt, event] of rows) {
    const owner = idOf({ name: name ?? '', key: key ?? '' });
    const timer = { id: id ?? '', dueAt: timestampOf(dueAt), event: event ?? '' };
    timers.set(owner, [...(timers.get(owner) ?? []), timer]);
  }
  return timers;
}

/** A reserved name. Its value cannot be read from the store. */
export interface ListedReservation {
  readonly name: string;
  /** A keyed digest of tenant, name and value. */
  readonly key: Uuid;
  readonly owner: string;
  readonly reservedAt: Timestamp;
  /** When a hold ends by itself. */
  readonly until?: Timestamp;
}

/** Reservations that hold, the newest first. */
export async function listReservations(
  database: Rows,
  { name = null, limit }: { readonly name?: string | null | undefined; readonly limit: number },
): Promise<readonly ListedReservation[]> {
  const rows = await database.rows({
    text: `SELECT name, key, owner, reserved_at, until FROM svc_reservations WHERE ${holds}
      ORDER BY reserved_at DESC, key LIMIT $2`,
    values: [name, limit],
  });
  return rows.map(([its, key, owner, reservedAt, until]) => ({
    name: its ?? '',
    key: key ?? '',
    owner: owner ?? '',
    reservedAt: timestampOf(reservedAt),
    ...(typeof until === 'string' ? { until: timestampOf(until) } : {}),
  }));
}

const holds = '($1::text IS NULL OR name = $1) AND (until IS NULL OR until > clock_timestamp())';

const count = async (database: Rows, from: string, values: unknown[]): Promise<Long> =>
  Number((await database.rows({ text: `SELECT count(*) FROM ${from}`, values }))[0]?.[0]);

/** How many there are, listed or not. */
export const countProcesses = (
  database: Rows,
  { name = null, state = null, status = null }: ProcessSelection,
) =>
  count(
    database,
    `svc_processes WHERE ($1::text IS NULL OR name = $1) AND ($2::text IS NULL OR state = $2)
      AND ($3::text IS NULL OR status = $3)`,
    [name, state, status],
  );

export const countTimers = (database: Rows, dueBefore: Timestamp | null) =>
  count(database, "svc_timers WHERE kind <> 'effect' AND ($1::timestamptz IS NULL OR due_at < $1)", [
    dueBefore,
  ]);

export const countReservations = (database: Rows, name: string | null) =>
  count(database, `svc_reservations WHERE ${holds}`, [name]);

export const countKeys = (database: Rows, name: string | null) =>
  count(
    database,
    `svc_stuck_work WHERE ${ofReactions} AND ($1::text IS NULL OR split_part(follower, '/', 2) = $1)`,
    [name],
  );
