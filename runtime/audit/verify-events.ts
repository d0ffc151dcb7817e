import { isUuid, type Long } from '../../contracts/scalars.js';
import type { CopiedRow } from '../database/copy-out.js';
import type { Database, Row } from '../database/database.js';
import type { AuditedValues, EventValues } from './compare-event-with-audit.js';
import { type Audit, Comparisons, type EventsReport, type StoredCounts } from './event-comparisons.js';
import { receivedReason } from './build-audit-events.js';
import { longOf } from './binary-copy-values.js';
import { archivedAmong } from './archived-audits.js';
import { chainStart } from './chain-start.js';
import { lastSystemPosition, systemPages } from './read-system-stream.js';

/** Compares every stored event with its EventAudited, body, position and metadata, page by page. */
export async function verifyEvents(
  database: Database,
  progress?: (done: number, total: number) => void,
): Promise<EventsReport> {
  // Count first: an event stored later has its audit later, too.
  const { position, low } = await chainStart(database);
  const stored = await storedCounts(database, low);
  const last = await lastSystemPosition(database);
  const tally = new Comparisons();
  for await (const page of systemPages(database, auditColumns, { from: position + 1, to: last })) {
    const audits = page.flatMap((row) => auditIn(row) ?? []);
    const events = await eventsOf(database, audits);
    const isMissing = (audit: Audit): boolean => !events.has(keyOf(audit));
    const archived = await archivedAmong(database, low, audits.filter(isMissing));
    for (const audit of audits)
      if (archived.has(audit)) tally.skip();
      else tally.take(audit, events.get(keyOf(audit)) ?? []);
    progress?.(Number(page.at(-1)?.[0]), last);
  }
  return tally.report(stored);
}

const auditColumns = `event_type, original_position, recorded_at, host,
  CASE WHEN event_type = 'EventAudited' THEN data END, CASE WHEN event_type = 'EventAudited' THEN metadata END`;

/** A received event may have the id of one of ours. */
const keyOf = ({ eventId, origin = '' }: Pick<Audit, 'eventId' | 'origin'>): string => `${eventId}${origin}`;

function auditIn([at, type, original, recordedAt, host, data, metadata]: Row): Audit | undefined {
  if (type !== 'EventAudited') return undefined;
  const audited = (JSON.parse(data ?? 'null') ?? {}) as Readonly<Record<string, unknown>>;
  const hasEvent = original !== null && original !== undefined;
  // Without an event id there is nothing to compare with.
  if (typeof audited['originalEventId'] !== 'string') return undefined;
  const origin = hasEvent ? undefined : originIn(audited);
  const wasStored = hasEvent || origin !== undefined;
  return {
    at: Number(at),
    eventId: audited['originalEventId'],
    origin,
    facts: {
      type: audited['originalEventType'],
      streamId: audited['originalStreamId'],
      position: hasEvent ? Number(original) : audited['originalStreamPosition'],
      body: audited['originalBody'],
      recorded: wasStored ? { at: recordedAt ?? null, ...envelopeIn(metadata) } : undefined,
      ...(wasStored && coveredBy(host, metadata)),
    },
  };
}

function originIn({ auditReason, scope }: Readonly<Record<string, unknown>>): string | undefined {
  if (auditReason !== receivedReason || typeof scope !== 'object' || scope === null) return undefined;
  const { origin } = scope as { readonly origin?: unknown };
  return isUuid(origin) ? origin : undefined;
}

const fieldsIn = (json: string | null | undefined): Readonly<Record<string, unknown>> =>
  (JSON.parse(json ?? 'null') ?? {}) as Readonly<Record<string, unknown>>;

function envelopeIn(metadata: string | null | undefined) {
  const { correlationId, causationId, scope } = fieldsIn(metadata);
  return { correlationId, causationId, scope };
}

const plainNames: ReadonlySet<string> = new Set([
  ...['correlationId', 'causationId', 'scope', 'traceparent', 'tracestate', 'count', 'depth', 'v'],
]);
const sealedNames: ReadonlySet<string> = new Set([...plainNames, 'sealed', 'salt']);

/** An audit that does not share everything with its event has the difference in `event`. */
function coveredBy(
  host: string | null | undefined,
  metadata: string | null | undefined,
): Pick<AuditedValues, 'covered' | 'names' | 'digest'> {
  const { traceparent, event, sealed } = fieldsIn(metadata);
  if (typeof event !== 'object' || event === null)
    return sealed === undefined
      ? { covered: { host, traceparent }, names: plainNames }
      : { covered: { host, traceparent, sealed }, names: sealedNames };
  const {
    tracestate,
    count,
    depth,
    v,
    occurredAt,
    host: sender = host,
    digest,
  } = event as Readonly<Record<string, unknown>>;
  const happened = typeof occurredAt === 'string' ? { occurredAt: storedTime(occurredAt) } : {};
  return {
    covered: { host: sender, traceparent, tracestate, count, depth, v, ...happened },
    names: sealedNames,
    ...(typeof digest === 'string' && { digest }),
  };
}

/** In milliseconds; PostgreSQL rounds to microseconds what another store states more finely. */
function storedTime(text: string): number {
  const [stated, digits = ''] = /\.(\d+)/.exec(text) ?? [];
  if (stated === undefined || digits.length <= 6) return Date.parse(text);
  const micros = Math.round(Number(`0${stated}`) * 1_000_000);
  return Date.parse(text.replace(stated, '')) + Math.floor(micros / 1_000);
}

async function eventsOf(
  database: Database,
  audits: readonly Audit[],
): Promise<ReadonlyMap<string, readonly EventValues[]>> {
  const ids = audits.map(({ eventId }) => eventId).filter(isUuid);
  const rows =
    ids.length === 0
      ? []
      : await database.rows({
          text: `SELECT event_id, event_type, stream_id, stream_position, data, metadata, recorded_at,
              host, extract(epoch FROM occurred_at) * 1000,
              CASE WHEN origin <> 0 THEN coalesce((SELECT o.store::text FROM svc_origins o WHERE o.origin = v.origin), '?') END
            FROM svc_events v WHERE event_id = ANY($1)`,
          values: [ids],
        });
  const found = new Map<string, EventValues[]>();
  for (const row of rows) {
    const key = keyOf({ eventId: row[0] ?? '', origin: row[9] ?? undefined });
    const others = found.get(key);
    if (others === undefined) found.set(key, [valuesOf(row)]);
    else others.push(valuesOf(row));
  }
  return found;
}

function valuesOf([
  ,
  type,
  streamId,
  position,
  data,
  metadata,
  recordedAt,
  host,
  at,
  store,
]: Row): EventValues {
  const isReceived = typeof store === 'string';
  const fields = fieldsIn(metadata);
  const { correlationId, causationId, scope } = fields;
  return {
    type,
    streamId,
    position: Number(position),
    body: JSON.parse(data ?? 'null'),
    recorded: {
      at: recordedAt ?? null,
      correlationId,
      causationId,
      scope: isReceived ? { ...(scope as object | undefined), origin: store } : scope,
    },
    // Another store may state microseconds.
    covered: { ...fields, host, occurredAt: isReceived ? Math.floor(Number(at)) : Number(at) },
    named: Object.keys(fields),
    stored: { metadata: metadata ?? '', data: data ?? '' },
  };
}

/** Positions have no gaps across events and records: one that holds neither was deleted. */
async function storedCounts(database: Database, low: Long): Promise<StoredCounts> {
  const types: (readonly [type: string, own: number, received: number])[] = [];
  let [records, head] = [0, 0];
  await copyWithoutTimeout(database, countsFrom(low), ([type, one, other]) => {
    if (type === null || type === undefined) [records, head] = [longOf(one), longOf(other)];
    else types.push([type.toString(), longOf(one), longOf(other)]);
  });
  const events = types.reduce((sum, [, own, received]) => sum + own + received, 0);
  return {
    byType: new Map(types.map(([type, own]) => [type, own])),
    received: types.reduce((sum, [, , received]) => sum + received, 0),
    // The first position is 1.
    gaps: Math.max(0, head - Math.max(0, low - 1) - records - events),
  };
}

// One statement sees one snapshot: nothing is beyond its head, not even a row inserted by hand. It calls no function of the
// store, such as svc_head: who altered rows may have altered that, too.
const countsFrom = (low: Long): string => `COPY (
  WITH records AS (SELECT count(*) AS n, coalesce(max(global_position), 0) AS g FROM svc_system_events WHERE global_position >= ${low}),
    events AS (SELECT coalesce(max(global_position), 0) AS g FROM svc_events)
  SELECT NULL::text, records.n, greatest(records.g, events.g) FROM records, events
  UNION ALL SELECT event_type, count(*) FILTER (WHERE origin = 0), count(*) FILTER (WHERE origin <> 0)
    FROM svc_events WHERE global_position >= ${low} GROUP BY event_type) TO STDOUT (FORMAT binary)`;

/** A copy may run longer than the statement timeout. */
async function copyWithoutTimeout(
  database: Database,
  text: string,
  read: (row: CopiedRow) => void,
): Promise<void> {
  const session = await database.session();
  try {
    await session.rows({ text: 'SET statement_timeout = 0' });
    await session.copyOut(text, read);
  } finally {
    session.release(true);
  }
}
