import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { Database } from '../database/database.js';
import { countRows, readObjects, readWithoutNulls } from '../database/read-objects.js';
import { fingerprintOfText } from '../dead-letters/error-fingerprint.js';

/** Something that waits for an operator, or is tried again: an event of a key, a message, a timer or a process. */
export interface StuckEntry {
  /** Where it is stuck, at what, and its key; an entry that has moved on since has another id. */
  readonly id: string;
  /** `perspective/orders`, `reaction/reserve-stock`, `process/payment`, `timers`, `effect/card-provider`, `outbox` or `inbox`. */
  readonly follower: string;
  readonly kind: string;
  readonly key: string;
  /** Of the event at which it is stuck; null for what is not in the log. */
  readonly position: Long | null;
  readonly state: 'retrying' | 'parked';
  readonly attempts: number | null;
  readonly since: Timestamp | null;
  readonly nextAt: Timestamp | null;
  readonly error: string | null;
  readonly fingerprint: string | null;
  readonly tenant: string | null;
}

/** Entries that have all of these. */
export interface StuckFilter {
  /** One follower, or all of a kind: `reaction`. */
  readonly follower?: string | undefined;
  /** A part of the error. */
  readonly error?: string | undefined;
  readonly fingerprint?: string | undefined;
  /** Stuck at this time or later. */
  readonly since?: Timestamp | undefined;
  readonly tenant?: string | undefined;
  readonly state?: StuckEntry['state'] | undefined;
}

type Rows = Pick<Database, 'rows'>;

const columns = `id, follower, split_part(follower, '/', 1) AS kind, key, position, state, attempts, svc_time_text(since) AS since,
  svc_time_text(next_attempt_at) AS "nextAt", error, fingerprint, tenant`;

const matching = `($1::text IS NULL OR follower = $1 OR starts_with(follower, $1 || '/'))
  AND ($2::text IS NULL OR strpos(error, $2) > 0) AND ($3::timestamptz IS NULL OR since >= $3)
  AND ($4::text IS NULL OR tenant = $4) AND ($5::text IS NULL OR state = $5)`;

const valuesOf = ({ follower, error, since, tenant, state }: StuckFilter): unknown[] => [
  ...[follower ?? null, error ?? null, since ?? null, tenant ?? null, state ?? null],
];

/** What an operator has to decide first, and of that the oldest first. */
async function list<T extends Pick<StuckEntry, 'error' | 'fingerprint'>>(
  database: Rows,
  listed: string,
  filter: StuckFilter,
  limit: number,
): Promise<readonly T[]> {
  const { where, values } = await selectionOf(database, filter);
  const entries = await readObjects<T>(database, {
    text: `SELECT ${listed} FROM svc_stuck s WHERE ${where} ORDER BY s.state, s.since, s.position, s.id LIMIT $${values.length + 1}`,
    values: [...values, limit],
  });
  return entries.map(withFingerprint);
}

/** At most `limit` entries, the oldest first. */
export const listStuck = (
  database: Rows,
  filter: StuckFilter,
  limit: number,
): Promise<readonly StuckEntry[]> => list(database, columns, filter, limit);

/** What a plan needs to know of an entry. */
export type PlannedEntry = Pick<StuckEntry, 'id' | 'kind' | 'state' | 'since' | 'error' | 'fingerprint'>;

const plannedColumns = `id, split_part(follower, '/', 1) AS kind, state, svc_time_text(since) AS since, error, fingerprint`;

/** The same entries; without the tenant, which is looked up in the log, this is fast for many. */
export const listToPlan = (
  database: Rows,
  filter: StuckFilter,
  limit: number,
): Promise<readonly PlannedEntry[]> => list(database, plannedColumns, filter, limit);

export async function countStuck(database: Rows, filter: StuckFilter): Promise<number> {
  const { where, values } = await selectionOf(database, filter);
  return countRows(database, `svc_stuck WHERE ${where}`, values);
}

/** Where no fingerprint is stored it is made of the error: so the errors that have it are looked for. */
async function selectionOf(
  database: Rows,
  filter: StuckFilter,
): Promise<{ readonly where: string; readonly values: unknown[] }> {
  const values = valuesOf(filter);
  if (filter.fingerprint === undefined) return { where: matching, values };
  const rows = await database.rows({
    text: `SELECT DISTINCT error FROM svc_stuck WHERE ${matching} AND fingerprint IS NULL AND error IS NOT NULL`,
    values,
  });
  const errors = rows.flatMap(([error]) =>
    typeof error === 'string' && fingerprintOfText(error) === filter.fingerprint ? [error] : [],
  );
  return {
    where: `${matching} AND (fingerprint = $6 OR fingerprint IS NULL AND error = ANY($7::text[]))`,
    values: [...values, filter.fingerprint, errors],
  };
}

/** How many entries of a follower share a cause. */
export interface StuckCause {
  readonly follower: string;
  readonly state: StuckEntry['state'];
  readonly fingerprint: string | null;
  /** Of one of them. */
  readonly error: string | null;
  readonly count: number;
  readonly oldest: Timestamp | null;
}

/** The most frequent causes; of errors with many different values, the most frequent texts are counted. */
export async function countStuckCauses(database: Rows, texts: number): Promise<readonly StuckCause[]> {
  const stored = await readObjects<StuckCause>(database, {
    text: `SELECT follower, state, fingerprint, error, count(*), svc_time_text(min(since)) AS oldest FROM svc_stuck
      GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC, 1, 2, 3, 4 LIMIT $1`,
    values: [texts],
  });
  const causes = new Map<string, StuckCause>();
  for (const cause of stored.map(withFingerprint)) {
    const name = JSON.stringify([cause.follower, cause.state, cause.fingerprint]);
    const known = causes.get(name);
    causes.set(name, {
      ...cause,
      error: known?.error ?? cause.error,
      count: (known?.count ?? 0) + cause.count,
      oldest: earlier(known?.oldest ?? null, cause.oldest),
    });
  }
  return [...causes.values()].toSorted((one, other) => other.count - one.count);
}

const earlier = (one: Timestamp | null, other: Timestamp | null): Timestamp | null =>
  one === null || (other !== null && Date.parse(other) < Date.parse(one)) ? other : one;

/** The event or message at which an entry is stuck, without its content. */
interface StuckEvent {
  readonly type: string;
  readonly streamId?: Uuid;
  readonly streamPosition?: Long;
  readonly eventId?: string;
  readonly destination?: string;
}

export async function showStuck(
  database: Rows,
  id: string,
): Promise<(StuckEntry & { readonly event: StuckEvent | null }) | undefined> {
  const [entry] = await readObjects<StuckEntry>(database, {
    text: `SELECT ${columns} FROM svc_stuck WHERE id = $1`,
    values: [id],
  });
  return entry && { ...withFingerprint(entry), event: (await eventOf(database, entry)) ?? null };
}

async function eventOf(database: Rows, { id, position }: StuckEntry): Promise<StuckEvent | undefined> {
  const letter = /^inbox\/dead-letter@(\d+)$/.exec(id)?.[1];
  const [event] = await readWithoutNulls<StuckEvent>(database, {
    text: `SELECT event_type AS type, stream_id AS "streamId", stream_position AS "streamPosition", event_id AS "eventId", NULL AS destination
        FROM svc_events WHERE global_position = $1
      UNION ALL SELECT event_type, '${SystemEventStreams.streamId}', stream_position, event_id, NULL FROM svc_system_events WHERE global_position = $1
      UNION ALL SELECT message_type, NULL, NULL, message_id, destination FROM svc_stuck_work WHERE id = $2`,
    values: [position, letter ?? null],
  });
  return event;
}

const withFingerprint = <T extends Pick<StuckEntry, 'error' | 'fingerprint'>>(entry: T): T => ({
  ...entry,
  fingerprint: entry.fingerprint ?? (entry.error === null ? null : fingerprintOfText(entry.error)),
});
