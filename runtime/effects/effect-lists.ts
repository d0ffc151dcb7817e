import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { timestampOf } from '../store/stored-rows.js';

type Rows = Pick<Database, 'rows'>;

/** A request of an effect, as operators see it; never what it holds. */
export interface ListedEffect {
  readonly id: Uuid;
  readonly name: string;
  readonly key: string;
  readonly state: 'waiting' | 'running' | 'paused' | 'parked';
  readonly attempts: number;
  /** When it is tried next, a host may take it over, or it was parked. */
  readonly dueAt: Timestamp;
  readonly lane: string;
  readonly error: string | null;
}

interface EffectSelection {
  readonly id?: Uuid | undefined;
  readonly name?: string | undefined;
  readonly lane?: string | undefined;
  readonly state?: string | undefined;
  /** A part of the error. */
  readonly error?: string | undefined;
}

const isPaused = (row: string): string =>
  `EXISTS (SELECT 1 FROM svc_paused s WHERE s.name = ${row}.name AND s.lane IN ('*', svc_lane_shown(${row}.lane)))`;

const from = `(SELECT v.*, svc_lane_shown(v.lane) AS shown, CASE WHEN v.parked THEN 'parked'
    WHEN v.claimed_by IS NOT NULL AND v.claimed_set_at = v.set_at AND v.due_at > clock_timestamp() THEN 'running'
    WHEN ${isPaused('v')} THEN 'paused' ELSE 'waiting' END AS state
  FROM svc_timers v WHERE v.kind = 'effect') e
  WHERE ($1::uuid IS NULL OR id = $1) AND ($2::text IS NULL OR name = $2) AND ($3::text IS NULL OR shown = $3)
    AND ($4::text IS NULL OR state = $4) AND ($5::text IS NULL OR strpos(error, $5) > 0)`;

const valuesOf = ({ id, name, lane, state, error }: EffectSelection): unknown[] => [
  ...[id ?? null, name ?? null, lane ?? null, state ?? null, error ?? null],
];

/** Requests by due time. */
export async function listEffects(
  database: Rows,
  selection: EffectSelection,
  limit: number,
): Promise<readonly ListedEffect[]> {
  const rows = await database.rows({
    text: `SELECT id, name, key, state, attempts, due_at, shown, error FROM ${from} ORDER BY due_at, id LIMIT $6`,
    values: [...valuesOf(selection), limit],
  });
  return rows.map(([id, name, key, state, attempts, dueAt, lane, error = null]) => ({
    ...{ id: id ?? '', name: name ?? '', key: key ?? '', state: state as ListedEffect['state'] },
    ...{ attempts: Number(attempts), dueAt: timestampOf(dueAt), lane: lane ?? '', error },
  }));
}

export async function countEffects(database: Rows, selection: EffectSelection): Promise<number> {
  const [[count] = []] = await database.rows({
    text: `SELECT count(*) FROM ${from}`,
    values: valuesOf(selection),
  });
  return Number(count);
}

/** What waits of one effect, whichever host does it. */
export interface EffectBacklog {
  readonly name: string;
  readonly waiting: number;
  readonly parked: number;
  /** How late the latest one is that is neither running nor paused. */
  readonly lateSeconds: number;
}

export async function readEffectBacklog(database: Rows): Promise<readonly EffectBacklog[]> {
  const rows = await database.rows({
    name: 'svc_effect_backlog',
    text: `SELECT v.name, count(*) FILTER (WHERE NOT v.parked), count(*) FILTER (WHERE v.parked),
        coalesce(max(extract(epoch FROM statement_timestamp() - v.due_at)) FILTER (WHERE NOT v.parked AND NOT ${isPaused('v')}), 0)
      FROM svc_timers v WHERE v.kind = 'effect' GROUP BY 1 ORDER BY 1`,
  });
  return rows.map(([name, waiting, parked, late]) => ({
    ...{ name: name ?? '', waiting: Number(waiting), parked: Number(parked) },
    lateSeconds: Math.max(0, Number(late)),
  }));
}
