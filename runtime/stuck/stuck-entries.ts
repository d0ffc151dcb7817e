import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { Database, Row } from '../database/database.js';
import { fingerprintOfText } from '../dead-letters/error-fingerprint.js';
import { timestampOf } from '../store/stored-rows.js';

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

const columns =
  'id, follower, key, position, state, attempts, since, next_attempt_at, error, fingerprint, tenant';

const matching = `($1::text IS NULL OR follower = $1 OR starts_with(follower, $1 || '/'))
  AND ($2::text IS NULL OR strpos(error, $2) > 0) AND ($3::timestamptz IS NULL OR since >= $3)
  AND ($4::text IS NULL OR tenant = $4) AND ($5::text IS NULL OR state = $5)`;

const valuesOf = ({ follower, error, since, tenant, state }: StuckFilter): unknown[] => [
  ...[follower ?? null, error ?? null, since ?? null, tenant ?? null, state ?? null],
];

/** What an operator has to decide first, and of that the oldest first. */
const order = 'ORDER BY state, since, position, id';

/** At most `limit` entries, the oldest first. */
export async function listStuck(
  database: Rows,
  filter: StuckFilter,
  limit: number,
): Promise<readonly StuckEntry[]> {
  const { where, values } = await selectionOf(database, filter);
  const rows = await database.rows({
    text: `SELECT ${columns} FROM svc_stuck WHERE ${where} ${order} LIMIT $${values.length + 1}`,
    values: [...values, limit],
  });
  return rows.map(entryOf);
}

/** What a plan needs to know of an entry. */
export type PlannedEntry = Pick<StuckEntry, 'id' | 'kind' | 'state' | 'since' | 'error' | 'fingerprint'>;

/** The same entries; without the tenant, which is looked up in the log, this is fast for many. */
export async function listToPlan(
  database: Rows,
  filter: StuckFilter,
  limit: number,
): Promise<readonly PlannedEntry[]> {
  const { where, values } = await selectionOf(database, filter);
  const rows = await database.rows({
    text: `SELECT id, follower, state, since, error, fingerprint FROM svc_stuck WHERE ${where} ${order} LIMIT $${values.length + 1}`,
    values: [...values, limit],
  });
  return rows.map(([id, follower, state, since = null, error = null, fingerprint = null]) => ({
    id: id ?? '',
    kind: kindOf(follower),
    state: stateOf(state),
    error,
    since: since === null ? null : timestampOf(since),
    fingerprint: fingerprint ?? (error === null ? null : fingerprintOfText(error)),
  }));
}

export async function countStuck(database: Rows, filter: StuckFilter): Promise<number> {
  const { where, values } = await selectionOf(database, filter);
  const rows = await database.rows({ text: `SELECT count(*) FROM svc_stuck WHERE ${where}`, values });
  return Number(rows[0]?.[0]);
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
  const rows = await database.rows({
    text: `SELECT follower, state, fingerprint, error, count(*), min(since) FROM svc_stuck
      GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC, 1, 2, 3, 4 LIMIT $1`,
    values: [texts],
  });
  const causes = new Map<string, StuckCause>();
  for (const [follower = '', state, stored = null, error = null, count, since = null] of rows) {
    const fingerprint = stored ?? (error === null ? null : fingerprintOfText(error));
    const name = JSON.stringify([follower, state, fingerprint]);
    const known = causes.get(name);
    const oldest = since === null ? null : timestampOf(since);
    causes.set(name, {
      follower: follower ?? '',
      state: stateOf(state),
      fingerprint,
      error: known?.error ?? error,
      count: (known?.count ?? 0) + Number(count),
      oldest: earlier(known?.oldest ?? null, oldest),
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
  const rows = await database.rows({ text: `SELECT ${columns} FROM svc_stuck WHERE id = $1`, values: [id] });
  const entry = rows.map(entryOf)[0];
  return entry && { ...entry, event: (await eventOf(database, entry)) ?? null };
}

async function eventOf(database: Rows, { id, position }: StuckEntry): Promise<StuckEvent | undefined> {
  const letter = /^inbox\/dead-letter@(\d+)$/.exec(id)?.[1];
  const rows = await database.rows({
    text: `SELECT event_type, stream_id, stream_position, event_id, NULL FROM svc_events WHERE global_position = $1
      UNION ALL SELECT event_type, '${SystemEventStreams.streamId}', stream_position, event_id, NULL FROM svc_system_events WHERE global_position = $1
      UNION ALL SELECT message_type, NULL, NULL, message_id, destination FROM svc_stuck_work WHERE id = $2`,
    values: [position, letter ?? null],
  });
  return rows.map(([type, streamId, at, eventId, destination]) => ({
    type: type ?? '',
    ...(typeof streamId === 'string' ? { streamId, streamPosition: Number(at) } : {}),
    ...(typeof eventId === 'string' ? { eventId } : {}),
    ...(typeof destination === 'string' ? { destination } : {}),
  }))[0];
}

function entryOf(row: Row): StuckEntry {
  const [id, follower, key, position = null, state, attempts = null] = row;
  const [since = null, nextAt = null, error = null, fingerprint = null, tenant = null] = row.slice(6);
  return {
    id: id ?? '',
    follower: follower ?? '',
    kind: kindOf(follower),
    key: key ?? '',
    position: position === null ? null : Number(position),
    state: stateOf(state),
    attempts: attempts === null ? null : Number(attempts),
    since: since === null ? null : timestampOf(since),
    nextAt: nextAt === null ? null : timestampOf(nextAt),
    error,
    fingerprint: fingerprint ?? (error === null ? null : fingerprintOfText(error)),
    tenant,
  };
}

const stateOf = (state: string | null | undefined): StuckEntry['state'] =>
  state === 'parked' ? 'parked' : 'retrying';

const kindOf = (follower: string | null | undefined): string => follower?.split('/')[0] ?? '';
