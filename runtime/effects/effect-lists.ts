import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { countRows, readObjects } from '../database/read-objects.js';

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

/** An attempt that failed. */
interface FailedTry {
  readonly at: Timestamp;
  /** How many there were until then, with those whose host died or froze. */
  readonly claim: number;
  readonly error: string;
}

/** One request with its attempts; never what it holds. */
export interface ShownEffect extends ListedEffect {
  readonly askedAt: Timestamp;
  /** Begun, also those without an answer. */
  readonly claims: number;
  readonly correlationId: string | null;
  /** The last ten that failed, oldest first. */
  readonly tries: readonly FailedTry[];
}

interface EffectSelection {
  readonly id?: Uuid | undefined;
  readonly name?: string | undefined;
  readonly lane?: string | undefined;
  readonly state?: string | undefined;
  /** A part of the error. */
  readonly error?: string | undefined;
}

/** Columns that the index of due requests holds too: a list that needs no others reads no rows. */
const nameIn = (lane: string): string => `split_part(${lane}, '|', 2)`;
const isPaused = (lane: string): string =>
  `EXISTS (SELECT 1 FROM svc_paused s WHERE s.name = ${nameIn(lane)} AND s.lane IN ('*', svc_lane_shown(${lane})))`;

const selected = `(SELECT v.*, svc_lane_shown(v.lane) AS shown, CASE WHEN v.parked THEN 'parked'
    WHEN v.claimed_by IS NOT NULL AND v.due_at > clock_timestamp() THEN 'running'
    WHEN ${isPaused('v.lane')} THEN 'paused' ELSE 'waiting' END AS state
  FROM svc_timers v WHERE v.kind = 'effect') e
  WHERE ($1::uuid IS NULL OR id = $1) AND ($2::text IS NULL OR name = $2) AND ($3::text IS NULL OR shown = $3)
    AND ($4::text IS NULL OR state = $4) AND ($5::text IS NULL OR strpos(error, $5) > 0)`;

const valuesOf = ({ id, name, lane, state, error }: EffectSelection): unknown[] => [
  ...[id ?? null, name ?? null, lane ?? null, state ?? null, error ?? null],
];

const listed = 'id, name, key, state, attempts, svc_time_text(due_at) AS "dueAt", shown AS lane, error';

/** The first of one effect or of all, found by what the indexes hold. */
const firstDue = (where: string, name: string): string =>
  `(SELECT v.id, v.due_at FROM svc_timers v WHERE v.kind = 'effect' AND ${where} AND ($2::text IS NULL OR ${name} = $2) ORDER BY 2, 1 LIMIT $6)`;
const firstIds = `SELECT f.id FROM (${firstDue('NOT v.parked', nameIn('v.lane'))} UNION ALL ${firstDue('v.parked', 'v.name')}) f
  ORDER BY f.due_at, f.id LIMIT $6`;

/** Requests by due time. */
export function listEffects(
  database: Rows,
  selection: EffectSelection,
  limit: number,
): Promise<readonly ListedEffect[]> {
  const { name, ...others } = selection;
  const isOfName = Object.values(others).every((one) => one === undefined);
  return readObjects(database, {
    text: `SELECT ${listed} FROM ${selected}${isOfName ? ` AND id = ANY(ARRAY(${firstIds}))` : ''} ORDER BY due_at, id LIMIT $6`,
    values: [...valuesOf({ name, ...others }), limit],
  });
}

/** Undefined: it has ended, was cancelled, or never was. */
export async function showEffect(database: Rows, id: Uuid): Promise<ShownEffect | undefined> {
  const [effect] = await readObjects<ShownEffect>(database, {
    text: `SELECT ${listed}, svc_time_text(set_at) AS "askedAt", claims, context ->> 'correlationId' AS "correlationId", tries FROM ${selected}`,
    values: valuesOf({ id }),
  });
  return effect;
}

/** How many requests of an effect are in a state. */
export interface EffectCount {
  readonly name: string;
  readonly state: ListedEffect['state'];
  readonly count: number;
}

export const countByState = (database: Rows): Promise<readonly EffectCount[]> =>
  readObjects(database, {
    text: `SELECT name, state, count(*) FROM ${selected} GROUP BY 1, 2 ORDER BY 1, 2`,
    values: valuesOf({}),
  });

export interface WaitingLane {
  readonly name: string;
  readonly lane: string;
  readonly waiting: number;
  /** When the next one is due, or a host may take it over. */
  readonly dueAt: Timestamp;
}

const mostLanes = 10;

/** The lanes in which the most requests wait. */
export const longestLanes = (database: Rows): Promise<readonly WaitingLane[]> =>
  readObjects(database, {
    name: 'svc_longest_lanes',
    text: `SELECT ${nameIn('v.lane')} AS name, svc_lane_shown(v.lane) AS lane, count(*) AS waiting, svc_time_text(min(due_at)) AS "dueAt"
      FROM svc_timers v WHERE kind = 'effect' AND NOT parked GROUP BY v.lane ORDER BY 3 DESC, 1, 2 LIMIT ${mostLanes}`,
  });

export const countEffects = (database: Rows, selection: EffectSelection): Promise<number> =>
  countRows(database, selected, valuesOf(selection));

/** What waits of one effect, whichever host does it. */
export interface EffectBacklog {
  readonly name: string;
  readonly waiting: number;
  readonly parked: number;
  /** How late the latest one is that is neither running nor paused. */
  readonly lateSeconds: number;
}

export const readEffectBacklog = (database: Rows): Promise<readonly EffectBacklog[]> =>
  readObjects(database, {
    name: 'svc_effect_backlog',
    text: `SELECT name, sum(waiting) AS waiting, sum(parked) AS parked,
        greatest(0, extract(epoch FROM statement_timestamp() - min(due_at))) AS "lateSeconds" FROM (
        SELECT ${nameIn('v.lane')} AS name, count(*) AS waiting, 0 AS parked, CASE WHEN NOT ${isPaused('v.lane')} THEN min(v.due_at) END AS due_at
          FROM svc_timers v WHERE v.kind = 'effect' AND NOT v.parked GROUP BY v.lane
        UNION ALL SELECT v.name, 0, count(*), NULL FROM svc_timers v WHERE v.kind = 'effect' AND v.parked GROUP BY v.name) lanes
      GROUP BY name ORDER BY name`,
  });
