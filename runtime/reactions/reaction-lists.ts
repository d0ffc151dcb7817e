import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { ProcessStatus, TimerKind } from '../../contracts/unit-lists.js';
import type { Database, Row } from '../database/database.js';
import { timestampOf } from '../store/stored-rows.js';

/** A reaction or process as the store knows it, whichever host runs it. */
export interface ListedReaction {
  readonly kind: 'reaction' | 'process';
  readonly name: string;
  /** Everything up to this position is handled in all partitions. */
  readonly position: Long;
  /** How far the slowest partition is behind the head of the log. */
  readonly lag: Long;
  /** The number of keys that are tried again by themselves. */
  readonly retrying: number;
  /** The number of parked keys. */
  readonly parked: number;
  /**
   * `live`; `catchingUp`; `parked` when keys wait for a release; `stopped` when no host runs it; `orphan` when, besides,
   * the host that started last does not have it: it was renamed or removed.
   */
  readonly state: 'live' | 'catchingUp' | 'parked' | 'stopped' | 'orphan';
}

/** A key that is set aside from the line of its reaction or process. */
export interface ListedKey {
  readonly kind: 'reaction' | 'process';
  readonly name: string;
  readonly key: string;
  /** The event at which it is stuck. */
  readonly position: Long;
  readonly state: 'retrying' | 'parked';
  readonly attempts: number;
  readonly error: string | null;
}

export interface ListedTimer {
  readonly id: Uuid;
  readonly kind: TimerKind;
  readonly name: string;
  readonly key: string;
  readonly dueAt: Timestamp;
  readonly attempts: number;
  readonly parked: boolean;
  readonly error: string | null;
}

/** An instance of a process; never its context. */
export interface ListedProcess {
  readonly name: string;
  readonly key: string;
  readonly version: number;
  readonly state: string;
  readonly status: ProcessStatus;
  readonly startedAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly error: string | null;
}

/** What a commit has settled directly above the position counts: the next mark moves the position there. */
const settledTo = `p.position + (SELECT count(*) FROM (SELECT d, row_number() OVER (ORDER BY d) AS n
  FROM (SELECT DISTINCT unnest(p.done) AS d) u) o WHERE o.d = p.position + o.n)`;

/** The partitions of a name as one: `reaction/reserve-stock/3` is partition 3 of the reaction reserve-stock. */
const reactionsText = `SELECT s.kind, s.name, min(s.settled), greatest(0, h.head - min(s.settled)), sum(s.retrying), sum(s.parked),
    bool_or(s.runs), bool_or(r.registered_at = (SELECT max(l.registered_at) FROM svc_reactions l))
  FROM (SELECT split_part(p.name, '/', 1) AS kind, split_part(p.name, '/', 2) AS name, ${settledTo} AS settled,
      (SELECT count(*) FROM svc_stuck_work a WHERE a.follower = p.name AND a.state = 'retrying') AS retrying,
      (SELECT count(*) FROM svc_stuck_work a WHERE a.follower = p.name AND a.state = 'parked') AS parked,
      c.lease_until > clock_timestamp() AS runs
    FROM svc_progress p LEFT JOIN svc_leases c ON c.name = p.name
    WHERE p.name ~ '^(reaction|process)/' AND p.adopted_by IS NULL) s
    LEFT JOIN svc_reactions r ON r.kind = s.kind AND r.name = s.name
    CROSS JOIN (SELECT (SELECT svc_head()) AS head) h
  GROUP BY 1, 2, h.head ORDER BY 1, 2`;

export async function listReactions(database: Pick<Database, 'rows'>): Promise<readonly ListedReaction[]> {
  return (await database.rows({ text: reactionsText })).map(
    ([kind, name, position, lag, retrying, parked, runs, isKnown]) => ({
      kind: kind === 'process' ? 'process' : 'reaction',
      name: name ?? '',
      position: Number(position),
      lag: Number(lag),
      retrying: Number(retrying),
      parked: Number(parked),
      state: runs === 't' ? stateOf(Number(lag), Number(parked)) : isKnown === 't' ? 'stopped' : 'orphan',
    }),
  );
}

function stateOf(lag: number, parked: number): ListedReaction['state'] {
  if (lag > 0) return 'catchingUp';
  return parked > 0 ? 'parked' : 'live';
}

/** Of stuck work, the keys that are set aside. */
export const ofReactions = `follower ~ '^(reaction|process)/'`;

/** The keys that are set aside, parked ones first. */
export async function listKeys(
  database: Pick<Database, 'rows'>,
  limit: number,
  only: string | null = null,
): Promise<readonly ListedKey[]> {
  const rows = await database.rows({
    text: `SELECT split_part(follower, '/', 1), split_part(follower, '/', 2), key, position, state, attempts, error
      FROM svc_stuck_work WHERE ${ofReactions} AND ($2::text IS NULL OR split_part(follower, '/', 2) = $2)
      ORDER BY state, follower, position, key LIMIT $1`,
    values: [limit, only],
  });
  return rows.map(([kind, name, key, position, state, attempts, error = null]) => ({
    kind: kind === 'process' ? 'process' : 'reaction',
    name: name ?? '',
    key: key ?? '',
    position: Number(position),
    state: state === 'parked' ? 'parked' : 'retrying',
    attempts: Number(attempts),
    error,
  }));
}

/** Timers by due time. */
export async function listTimers(
  database: Pick<Database, 'rows'>,
  { dueBefore = null, limit }: { readonly dueBefore?: Timestamp | null; readonly limit: number },
): Promise<readonly ListedTimer[]> {
  const rows = await database.rows({
    text: `SELECT id, kind, name, key, due_at, attempts, parked, error FROM svc_timers
      WHERE kind <> 'effect' AND ($1::timestamptz IS NULL OR due_at < $1) ORDER BY due_at, id LIMIT $2`,
    values: [dueBefore, limit],
  });
  return rows.map(timerOf);
}

/** The timers of one instance of a process, by due time. */
export async function listTimersOf(
  database: Pick<Database, 'rows'>,
  name: string,
  key: string,
): Promise<readonly ListedTimer[]> {
  const rows = await database.rows({
    text: `SELECT id, kind, name, key, due_at, attempts, parked, error FROM svc_timers
      WHERE key = $2 AND name = $1 AND kind = 'process' ORDER BY due_at, id`,
    values: [name, key],
  });
  return rows.map(timerOf);
}

function timerOf([id, kind, name, key, dueAt, attempts, parked, error = null]: Row): ListedTimer {
  return {
    id: id ?? '',
    kind: kind as TimerKind,
    name: name ?? '',
    key: key ?? '',
    dueAt: timestampOf(dueAt),
    attempts: Number(attempts),
    parked: parked === 't',
    error,
  };
}

/** Instances, last changed first. */
export async function listProcesses(
  database: Pick<Database, 'rows'>,
  {
    name = null,
    state = null,
    status = null,
    limit,
  }: {
    readonly name?: string | null;
    readonly state?: string | null;
    readonly status?: string | null;
    readonly limit: number;
  },
): Promise<readonly ListedProcess[]> {
  const rows = await database.rows({
    text: `SELECT name, key, version, state, status, started_at, updated_at, error FROM svc_processes
      WHERE ($1::text IS NULL OR name = $1) AND ($2::text IS NULL OR state = $2) AND ($3::text IS NULL OR status = $3)
      ORDER BY updated_at DESC, name, key LIMIT $4`,
    values: [name, state, status, limit],
  });
  return rows.map(processOf);
}

function processOf([
  name,
  key,
  version,
  state,
  status,
  startedAt,
  updatedAt,
  error = null,
]: Row): ListedProcess {
  return {
    name: name ?? '',
    key: key ?? '',
    version: Number(version),
    state: state ?? '',
    status: status as ProcessStatus,
    startedAt: timestampOf(startedAt),
    updatedAt: timestampOf(updatedAt),
    error,
  };
}
