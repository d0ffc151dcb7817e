import type { Long } from '../../contracts/scalars.js';
import { partitions } from '../../contracts/reaction-store.js';
import type { Database } from '../database/database.js';
import { countRows, readObjects } from '../database/read-objects.js';

type Rows = Pick<Database, 'rows'>;

/** One partition of a reaction or process. */
export interface KnownCursor {
  readonly cursor: string;
  /** Of the reaction or process. */
  readonly name: string;
  /** Everything up to here is settled, if this host runs it: it may know more than is recorded. */
  readonly settledTo: Long | undefined;
}

/** What a reaction or process has not handled yet, whichever host runs it. */
export interface ReactionBacklog {
  readonly name: string;
  /** How far its slowest partition is behind the head of the log. */
  readonly lag: number;
  /** How long the oldest event waits that is not parked. */
  readonly oldestSeconds: number;
  readonly parked: number;
  /** One of the parked keys. */
  readonly parkedKey: string | undefined;
  /** One of the keys that have failed more than once and will be tried again. */
  readonly failing?: FailingKey | undefined;
}

export interface FailingKey {
  readonly key: string;
  readonly attempts: number;
  readonly error: string | null;
}

/** Of very many parked keys so many are counted: the check of every host asks while there are any. */
const mostCounted = 10_000;

const progressText = `SELECT p.name AS cursor, p.position, r.position AS retrying, k.parked, k."parkedKey", (SELECT svc_head()) AS head,
    (SELECT json_build_object('key', f.key, 'attempts', f.attempts, 'error', f.error) FROM svc_stuck_work f
      WHERE f.follower = p.name AND f.state = 'retrying' AND f.attempts > 1 ORDER BY f.attempts DESC LIMIT 1) AS failing
  FROM svc_progress p CROSS JOIN LATERAL (SELECT min(w.position) AS position FROM svc_stuck_work w
      WHERE w.follower = p.name AND w.state = 'retrying') r
    CROSS JOIN LATERAL (SELECT count(*) AS parked, min(w.key) AS "parkedKey" FROM (SELECT v.key FROM svc_stuck_work v
      WHERE v.follower = p.name AND v.state = 'parked' ORDER BY v.key LIMIT ${mostCounted}) w) k
  WHERE p.name = ANY($1)`;

interface StoredBacklog {
  readonly cursor: string;
  readonly position: Long;
  /** The first event of a key that is tried again. */
  readonly retrying: Long | null;
  readonly parked: number;
  readonly parkedKey: string | null;
  readonly head: Long;
  readonly failing: FailingKey | null;
}

const agesText = `SELECT g, greatest(0, extract(epoch FROM clock_timestamp() - least(
    (SELECT v.recorded_at FROM svc_events v WHERE v.global_position >= g ORDER BY v.global_position LIMIT 1),
    (SELECT v.recorded_at FROM svc_system_events v WHERE v.global_position >= g ORDER BY v.global_position LIMIT 1))))
  FROM unnest($1::bigint[]) g`;

interface CursorBacklog extends Pick<StoredBacklog, 'parked' | 'parkedKey' | 'failing'> {
  readonly name: string;
  readonly lag: number;
  /** The first position that is not settled; undefined: there is none. */
  readonly oldest: Long | undefined;
}

/** One query while nothing waits, two otherwise. */
export async function readReactionBacklog(
  database: Rows,
  cursors: readonly KnownCursor[],
): Promise<readonly ReactionBacklog[]> {
  if (cursors.length === 0) return [];
  const known = new Map(cursors.map((cursor) => [cursor.cursor, cursor]));
  const stored = await readObjects<StoredBacklog>(database, {
    name: 'svc_reaction_backlog',
    text: progressText,
    values: [[...known.keys()]],
  });
  const backlogs = stored.map(({ cursor, position, retrying, head, ...rest }): CursorBacklog => {
    const { name = '', settledTo = 0 } = known.get(cursor) ?? {};
    const settled = Math.max(position, settledTo);
    const lag = Math.max(0, head - settled);
    const oldest = Math.min(lag > 0 ? settled + 1 : Infinity, retrying ?? Infinity);
    return { ...rest, name, lag, oldest: oldest === Infinity ? undefined : oldest };
  });
  const ages = await agesOf(
    database,
    backlogs.flatMap(({ oldest }) => oldest ?? []),
  );
  return [...new Set(cursors.map(({ name }) => name))].map((name) =>
    together(
      name,
      backlogs.filter((each) => each.name === name),
      ages,
    ),
  );
}

function together(
  name: string,
  backlogs: readonly CursorBacklog[],
  ages: ReadonlyMap<Long, number>,
): ReactionBacklog {
  return {
    name,
    lag: Math.max(0, ...backlogs.map(({ lag }) => lag)),
    oldestSeconds: Math.max(0, ...backlogs.map(({ oldest }) => ages.get(oldest ?? 0) ?? 0)),
    parked: backlogs.reduce((sum, { parked }) => sum + parked, 0),
    parkedKey: backlogs.flatMap(({ parkedKey }) => parkedKey ?? [])[0],
    failing: backlogs.flatMap(({ failing }) => failing ?? [])[0],
  };
}

async function agesOf(database: Rows, positions: readonly Long[]): Promise<ReadonlyMap<Long, number>> {
  if (positions.length === 0) return new Map();
  const rows = await database.rows({ text: agesText, values: [[...new Set(positions)]] });
  return new Map(rows.map(([position, seconds]) => [Number(position), Number(seconds ?? 0)]));
}

/** The timers that should have fired. */
export interface TimerBacklog {
  /** How late the latest one is that is not parked. */
  readonly lateSeconds: number;
  /** The names of that timer and its key. */
  readonly late: TimerName | null;
  readonly parked: number;
  /** One of them. */
  readonly parkedTimer: TimerName | null;
}

export const noTimers: TimerBacklog = { lateSeconds: 0, late: null, parked: 0, parkedTimer: null };

interface TimerName {
  readonly name: string;
  readonly key: string;
}

const timersText = `SELECT coalesce(d.seconds, 0) AS "lateSeconds", CASE WHEN d.name IS NOT NULL THEN json_build_object('name', d.name, 'key', d.key) END AS late,
    (SELECT count(*) FROM svc_timers WHERE parked AND kind <> 'effect') AS parked,
    CASE WHEN k.name IS NOT NULL THEN json_build_object('name', k.name, 'key', k.key) END AS "parkedTimer"
  FROM (VALUES (1)) one
  LEFT JOIN LATERAL (SELECT extract(epoch FROM statement_timestamp() - t.due_at) AS seconds, t.name, t.key
    FROM generate_series(0, ${partitions - 1}) p CROSS JOIN LATERAL (SELECT v.due_at, v.name, v.key FROM svc_timers v
      WHERE v.part = p AND NOT v.parked AND v.kind <> 'effect' AND v.due_at <= statement_timestamp() ORDER BY v.part, v.due_at, v.id LIMIT 1) t
    ORDER BY t.due_at LIMIT 1) d ON true
  LEFT JOIN LATERAL (SELECT v.name, v.key FROM svc_timers v WHERE v.parked AND v.kind <> 'effect' ORDER BY v.name, v.key LIMIT 1) k ON true`;

export async function readTimerBacklog(database: Rows): Promise<TimerBacklog> {
  const [found] = await readObjects<TimerBacklog>(database, { name: 'svc_timer_backlog', text: timersText });
  return found ?? noTimers;
}

/** What exists; counted row by row. */
export interface InstanceCounts {
  readonly processes: readonly {
    readonly process: string;
    readonly state: string;
    readonly count: number;
  }[];
  readonly timers: number;
}

export async function readInstanceCounts(database: Rows): Promise<InstanceCounts> {
  return {
    processes: await readObjects(database, {
      text: `SELECT name AS process, state, count(*) FROM svc_processes WHERE status <> 'ended' GROUP BY 1, 2 ORDER BY 1, 2`,
    }),
    timers: await countRows(database, "svc_timers WHERE NOT parked AND kind <> 'effect'"),
  };
}
