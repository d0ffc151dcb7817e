import { isUuid, type Long } from '../../contracts/scalars.js';
import type { CopiedRow } from '../database/copy-out.js';
import type { Database, Row } from '../database/database.js';
import { type AuditedValues, compareEvent, type EventValues } from './compare-event-with-audit.js';
import { receivedReason } from './build-audit-events.js';
import { longOf } from './binary-copy-values.js';
import { formula2From, lastSystemPosition, systemPages } from './read-system-stream.js';

/** An event that differs from its audit. */
export interface EventFault {
  readonly what: 'altered' | 'deleted';
  readonly eventId: string;
  readonly eventType: string;
  readonly streamId: string;
  readonly streamPosition: number;
  /** The position of its audit in the system stream. */
  readonly auditedAt: Long;
  /** The first difference. */
  readonly differs?: string;
}

export interface EventsReport {
  readonly ok: boolean;
  /** How many audits were compared with our own events. */
  readonly compared: number;
  /** How many audits were compared with events that other stores sent. */
  readonly received: number;
  readonly altered: number;
  readonly deleted: number;
  /** The first of the faults. */
  readonly faults: readonly EventFault[];
  /** Positions of the log that hold neither event nor record any more; deleted audited events count too. */
  readonly gaps: number;
  /** How many values are redacted in their audits and were not compared. */
  readonly redacted: number;
  /** How many events have no audit, by type: excluded, not opted in, or stored while events were not audited. */
  readonly unaudited: Readonly<Record<string, number>>;
  /** How many events of other stores have no audit here. */
  readonly unauditedReceived: number;
}

const maxFaults = 100;

/** Compares every stored event with its EventAudited, body, position and metadata, page by page. */
export async function verifyEvents(
  database: Database,
  progress?: (done: number, total: number) => void,
): Promise<EventsReport> {
  // Count first: an event stored later has its audit later, too.
  const stored = await storedCounts(database);
  const last = await lastSystemPosition(database);
  const from2 = await formula2From(database);
  const tally = new Comparisons();
  for await (const page of systemPages(database, auditColumns, { from: 1, to: last })) {
    const audits = page.flatMap((row) => auditIn(row, from2) ?? []);
    const events = await eventsOf(database, audits);
    for (const audit of audits) tally.take(audit, events.get(keyOf(audit)) ?? []);
    progress?.(Number(page.at(-1)?.[0]), last);
  }
  return tally.report(stored);
}

const auditColumns = `event_type, original_position, recorded_at, host,
  CASE WHEN event_type = 'EventAudited' THEN data END, CASE WHEN event_type = 'EventAudited' THEN metadata END`;

interface Audit {
  readonly at: Long;
  readonly eventId: string;
  /** The store that sent the event; undefined for our own. */
  readonly origin: string | undefined;
  readonly facts: AuditedValues;
}

/** A received event may have the id of one of ours. */
const keyOf = ({ eventId, origin = '' }: Pick<Audit, 'eventId' | 'origin'>): string => `${eventId}${origin}`;

function auditIn(
  [at, type, original, recordedAt, host, data, metadata]: Row,
  from2: Long,
): Audit | undefined {
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
      ...(wasStored && Number(at) >= from2 && coveredBy(host, metadata)),
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

/** An audit that does not share everything with its event has the difference in `event`. */
function coveredBy(
  host: string | null | undefined,
  metadata: string | null | undefined,
): Pick<AuditedValues, 'covered' | 'digest'> {
  const { traceparent, event } = fieldsIn(metadata);
  if (typeof event !== 'object' || event === null) return { covered: { host, traceparent } };
  const {
    tracestate,
    count,
    depth,
    v,
    occurredAt,
    host: sender = host,
    digest,
  } = event as Readonly<Record<string, unknown>>;
  const happened = typeof occurredAt === 'string' ? { occurredAt: Date.parse(occurredAt) } : {};
  return {
    covered: { host: sender, traceparent, tracestate, count, depth, v, ...happened },
    ...(typeof digest === 'string' && { digest }),
  };
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
    found.set(key, [...(found.get(key) ?? []), valuesOf(row)]);
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
  const { scope, ...envelope } = envelopeIn(metadata);
  return {
    type,
    streamId,
    position: Number(position),
    body: JSON.parse(data ?? 'null'),
    recorded: {
      at: recordedAt ?? null,
      ...envelope,
      scope: isReceived ? { ...(scope as object | undefined), origin: store } : scope,
    },
    // Another store may state microseconds.
    covered: { ...fieldsIn(metadata), host, occurredAt: isReceived ? Math.floor(Number(at)) : Number(at) },
    stored: { metadata: metadata ?? '', data: data ?? '' },
  };
}

interface StoredCounts {
  /** Our own. */
  readonly byType: ReadonlyMap<string, number>;
  readonly received: number;
  readonly gaps: number;
}

/** Positions have no gaps across events and records: one that holds neither was deleted. */
async function storedCounts(database: Database): Promise<StoredCounts> {
  const types: (readonly [type: string, own: number, received: number])[] = [];
  let [records, head] = [0, 0];
  await copyWithoutTimeout(database, counts, ([type, one, other]) => {
    if (type === null || type === undefined) [records, head] = [longOf(one), longOf(other)];
    else types.push([type.toString(), longOf(one), longOf(other)]);
  });
  const events = types.reduce((sum, [, own, received]) => sum + own + received, 0);
  return {
    byType: new Map(types.map(([type, own]) => [type, own])),
    received: types.reduce((sum, [, , received]) => sum + received, 0),
    gaps: Math.max(0, head - records - events),
  };
}

// One statement sees one snapshot: nothing is beyond its head, not even a row inserted by hand.
const counts = `COPY (
  WITH records AS (SELECT count(*) AS n, coalesce(max(global_position), 0) AS g FROM svc_system_events),
    events AS (SELECT coalesce(max(global_position), 0) AS g FROM svc_events)
  SELECT NULL::text, records.n, greatest(records.g, events.g) FROM records, events
  UNION ALL SELECT event_type, count(*) FILTER (WHERE origin = 0), count(*) FILTER (WHERE origin <> 0)
    FROM svc_events GROUP BY event_type) TO STDOUT (FORMAT binary)`;

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

class Comparisons {
  readonly #counts = { compared: 0, received: 0, altered: 0, deleted: 0, redacted: 0 };
  readonly #faults: EventFault[] = [];
  readonly #audited = new Map<string, number>();
  #auditedReceived = 0;

  take({ at, eventId, origin, facts }: Audit, candidates: readonly EventValues[]): void {
    this.#counts[origin === undefined ? 'compared' : 'received']++;
    const compared = candidates.map((event) => compareEvent(facts, event));
    const best = compared.find(({ differs }) => differs === undefined) ?? compared[0];
    if (best !== undefined) {
      const type = String(candidates[compared.indexOf(best)]?.type);
      if (origin === undefined) this.#audited.set(type, (this.#audited.get(type) ?? 0) + 1);
      else this.#auditedReceived++;
      this.#counts.redacted += best.redacted;
      if (best.differs === undefined) return;
    }
    const what = best === undefined ? 'deleted' : 'altered';
    this.#counts[what]++;
    if (this.#faults.length >= maxFaults) return;
    const differs = best?.differs === undefined ? {} : { differs: best.differs };
    this.#faults.push({
      what,
      eventId,
      eventType: String(facts.type),
      streamId: String(facts.streamId),
      streamPosition: Number(facts.position),
      auditedAt: at,
      ...differs,
    });
  }

  report({ byType, received, gaps }: StoredCounts): EventsReport {
    const unaudited = [...byType].flatMap(([type, stored]) => {
      const without = stored - (this.#audited.get(type) ?? 0);
      return without > 0 ? [[type, without] as const] : [];
    });
    const { altered, deleted } = this.#counts;
    return {
      ok: altered + deleted + gaps === 0,
      ...this.#counts,
      faults: this.#faults,
      gaps,
      unaudited: Object.fromEntries(unaudited),
      unauditedReceived: Math.max(0, received - this.#auditedReceived),
    };
  }
}
