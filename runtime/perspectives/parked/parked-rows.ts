import type { Long, Timestamp, Uuid } from '../../../contracts/scalars.js';
import type { Upcasters } from '../../../contracts/upcaster.js';
import type { Database } from '../../database/database.js';
import { readObjects } from '../../database/read-objects.js';
import type { FoldRules } from '../fold/fold.js';
import { keylessKeyOf, keysOf } from '../fold/group-by-key.js';
import type { LogEntry } from '../../log/log-entry.js';
import { PostgresLog } from '../../log/postgres-log.js';

/** A parked row, as operators see it. */
export interface ParkedRowDetails {
  readonly key: string;
  readonly position: Long;
  readonly eventId: Uuid;
  readonly eventType: string;
  readonly error: string;
  readonly attempts: number;
  readonly since: Timestamp;
  /** It was released to be folded again, and no host has done so yet. */
  readonly released: boolean;
  /** How many earlier events of its stream were not received: it is folded again when they arrive. */
  readonly waitsFor?: number;
}

const maxListed = 1_000;

/**
 * How many events of its stream the store lacks before the one that a parked row `k` stopped at: 0 for our own streams;
 * for another store, those that were lost, or whose types this service does not subscribe to. Archived ones were received.
 */
export const missingBefore = `coalesce((SELECT e.stream_position - 1 - (SELECT count(*) FROM svc_events b
    WHERE b.stream_id = e.stream_id AND b.origin = e.origin AND b.stream_position < e.stream_position)
  FROM svc_events e WHERE e.global_position = k.position AND e.origin <> 0 AND NOT EXISTS (SELECT 1 FROM svc_stream_heads h
    WHERE h.stream_id = e.stream_id AND h.origin = e.origin AND h.first_global < svc_archived_to())), 0)`;

/** The oldest parked rows of a table. */
export async function listParked(database: Database, table: string): Promise<readonly ParkedRowDetails[]> {
  const rows = await readObjects<ParkedRowDetails & { readonly waitsFor: number }>(database, {
    text: `SELECT k.key, k.position, k.message_id AS "eventId", coalesce(
        (SELECT e.event_type FROM svc_events e WHERE e.global_position = k.position),
        (SELECT s.event_type FROM svc_system_events s WHERE s.global_position = k.position), '') AS "eventType",
        k.error, k.attempts, svc_iso_time(k.since, 'MS') AS since, k.state = 'retrying' AS released, ${missingBefore} AS "waitsFor"
      FROM svc_stuck_work k WHERE k.follower = $1 ORDER BY k.position, k.key LIMIT ${maxListed}`,
    values: [table],
  });
  return rows.map(({ waitsFor, ...row }) => ({ ...row, ...(waitsFor > 0 ? { waitsFor } : {}) }));
}

/** Releases one parked row or all, so that the host that runs the perspective folds them again; returns how many. */
export async function releaseParked(
  database: Pick<Database, 'rows'>,
  table: string,
  key?: string,
): Promise<number> {
  const [row] = await database.rows({
    text: 'SELECT count(*) FROM svc_release_parked($1, $2)',
    values: [table, key ?? null],
  });
  return Number(row?.[0] ?? 0);
}

/** Whether one of these perspectives has parked a row of events between two positions. */
export async function isParkedBetween(
  database: Pick<Database, 'rows'>,
  all: readonly FoldRules[],
  upcasters: Upcasters | undefined,
  range: Range,
): Promise<boolean> {
  for (const rules of all) if (await isParkedIn(database, rules, upcasters, range)) return true;
  return false;
}

interface Range {
  readonly from: Long;
  readonly to: Long;
}

async function isParkedIn(
  database: Pick<Database, 'rows'>,
  rules: FoldRules,
  upcasters: Upcasters | undefined,
  { from, to }: Range,
): Promise<boolean> {
  const { perspective, table } = rules;
  const { entries } = await new PostgresLog(database, upcasters).page(perspective, from - 1, to - from + 1);
  const keys = entries
    .filter(({ event }) => event.globalPosition <= to)
    .flatMap((entry) => [...keysFor(rules, entry), keylessKeyOf(entry.event.messageId)]);
  const found = await database.rows({
    text: 'SELECT 1 FROM svc_stuck_work WHERE follower = $1 AND key = ANY($2) LIMIT 1',
    values: [table.table, keys],
  });
  return found.length > 0;
}

function keysFor(rules: FoldRules, entry: LogEntry): readonly string[] {
  try {
    return keysOf(rules, entry);
  } catch {
    return [];
  }
}
