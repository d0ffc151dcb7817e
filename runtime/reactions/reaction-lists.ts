import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { TimerKind } from '../../contracts/unit-lists.js';
import type { Database } from '../database/database.js';
import { countRows, readObjects } from '../database/read-objects.js';

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

type Rows = Pick<Database, 'rows'>;

/** What a commit has settled directly above the position counts: the next mark moves the position there. */
const settledTo = `p.position + (SELECT count(*) FROM (SELECT d, row_number() OVER (ORDER BY d) AS n
  FROM (SELECT DISTINCT unnest(p.done) AS d) u) o WHERE o.d = p.position + o.n)`;

/** The partitions of a name as one: `reaction/reserve-stock/3` is partition 3 of the reaction reserve-stock. */
const reactionsText = `SELECT kind, name, position, lag, retrying, parked, CASE WHEN runs IS TRUE THEN
      CASE WHEN lag > 0 THEN 'catchingUp' WHEN parked > 0 THEN 'parked' ELSE 'live' END
    ELSE CASE WHEN is_known THEN 'stopped' ELSE 'orphan' END END AS state
  FROM (SELECT s.kind, s.name, min(s.settled) AS position, greatest(0, h.head - min(s.settled)) AS lag, sum(s.retrying) AS retrying,
      sum(s.parked) AS parked, bool_or(s.runs) AS runs, bool_or(r.registered_at = (SELECT max(l.registered_at) FROM svc_reactions l)) AS is_known
    FROM (SELECT split_part(p.name, '/', 1) AS kind, split_part(p.name, '/', 2) AS name, ${settledTo} AS settled,
        (SELECT count(*) FROM svc_stuck_work a WHERE a.follower = p.name AND a.state = 'retrying') AS retrying,
        (SELECT count(*) FROM svc_stuck_work a WHERE a.follower = p.name AND a.state = 'parked') AS parked,
        c.lease_until > clock_timestamp() AS runs
      FROM svc_progress p LEFT JOIN svc_leases c ON c.name = p.name
      WHERE p.name ~ '^(reaction|process)/' AND p.adopted_by IS NULL) s
      LEFT JOIN svc_reactions r ON r.kind = s.kind AND r.name = s.name
      CROSS JOIN (SELECT (SELECT svc_head()) AS head) h
    GROUP BY 1, 2, h.head) n ORDER BY kind, name`;

export const listReactions = (database: Rows): Promise<readonly ListedReaction[]> =>
  readObjects(database, { text: reactionsText });

/** Of stuck work, the keys that are set aside. */
export const ofReactions = `follower ~ '^(reaction|process)/'`;

/** Of one reaction or process, or of all. */
const keys = `svc_stuck_work WHERE ${ofReactions} AND ($1::text IS NULL OR split_part(follower, '/', 2) = $1)`;

/** The keys that are set aside, parked ones first. */
export const listKeys = (
  database: Rows,
  limit: number,
  only: string | null = null,
): Promise<readonly ListedKey[]> =>
  readObjects(database, {
    text: `SELECT split_part(follower, '/', 1) AS kind, split_part(follower, '/', 2) AS name, key, position, state, attempts, error
      FROM ${keys} ORDER BY state, follower, position, key LIMIT $2`,
    values: [only, limit],
  });

/** How many there are, listed or not. */
export const countKeys = (database: Rows, only: string | null): Promise<number> =>
  countRows(database, keys, [only]);

interface TimerSelection {
  readonly dueBefore?: Timestamp | null;
  /** Those of one instance of a process. */
  readonly of?: { readonly name: string; readonly key: string };
}

const timers = `svc_timers WHERE kind <> 'effect' AND ($1::timestamptz IS NULL OR due_at < $1)
  AND ($2::text IS NULL OR kind = 'process' AND name = $2 AND key = $3)`;

const timerValues = ({ dueBefore, of }: TimerSelection): unknown[] => [
  ...[dueBefore ?? null, of?.name ?? null, of?.key ?? null],
];

/** Timers by due time. */
export const listTimers = (
  database: Rows,
  { limit = null, ...selection }: TimerSelection & { readonly limit?: number | null },
): Promise<readonly ListedTimer[]> =>
  readObjects(database, {
    text: `SELECT id, kind, name, key, svc_time_text(due_at) AS "dueAt", attempts, parked, error FROM ${timers}
      ORDER BY due_at, id LIMIT $4`,
    values: [...timerValues(selection), limit],
  });

export const countTimers = (database: Rows, dueBefore: Timestamp | null): Promise<number> =>
  countRows(database, timers, timerValues({ dueBefore }));
