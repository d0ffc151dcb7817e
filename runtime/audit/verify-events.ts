import { isUuid, type Long, type Uuid } from '../../contracts/scalars.js';
import type { CopiedRow } from '../database/copy-out.js';
import type { Database, Row } from '../database/database.js';
import { type AuditedValues, compareEvent, type EventValues } from './compare-event-with-audit.js';
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
  /** How many audits were compared with their events. */
  readonly compared: number;
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
    for (const audit of audits) tally.take(audit, events.get(audit.eventId) ?? []);
    progress?.(Number(page.at(-1)?.[0]), last);
  }
  return tally.report(stored);
}

const auditColumns = `event_type, original_position, recorded_at, host,
  CASE WHEN event_type = 'EventAudited' THEN data END, CASE WHEN event_type = 'EventAudited' THEN metadata END`;

interface Audit {
  readonly at: Long;
  readonly eventId: string;
  readonly facts: AuditedValues;
}

function auditIn(
  [at, type, original, recordedAt, host, data, metadata]: Row,
  from2: Long,
): Audit | undefined {
  if (type !== 'EventAudited') return undefined;
  const audited = (JSON.parse(data ?? 'null') ?? {}) as Readonly<Record<string, unknown>>;
  const hasEvent = original !== null && original !== undefined;
  // Without an event id there is nothing to compare with.
  if (typeof audited['originalEventId'] !== 'string') return undefined;
  return {
    at: Number(at),
    eventId: audited['originalEventId'],
    facts: {
      type: audited['originalEventType'],
      streamId: audited['originalStreamId'],
      position: hasEvent ? Number(original) : audited['originalStreamPosition'],
      body: audited['originalBody'],
      recorded: hasEvent ? { at: recordedAt ?? null, ...envelopeIn(metadata) } : undefined,
      covered: hasEvent && Number(at) >= from2 ? coveredBy(host, metadata) : undefined,
    },
  };
}

const fieldsIn = (json: string | null | undefined): Readonly<Record<string, unknown>> =>
  (JSON.parse(json ?? 'null') ?? {}) as Readonly<Record<string, unknown>>;

function envelopeIn(metadata: string | null | undefined) {
  const { correlationId, causationId, scope } = fieldsIn(metadata);
  return { correlationId, causationId, scope };
}

/** An audit that does not share everything with its event has the difference in `event`. */
function coveredBy(host: string | null | undefined, metadata: string | null | undefined) {
  const { traceparent, event } = fieldsIn(metadata);
  if (typeof event !== 'object' || event === null) return { host, traceparent };
  const { tracestate, count, v, occurredAt } = event as Readonly<Record<string, unknown>>;
  const happened = typeof occurredAt === 'string' ? { occurredAt: Date.parse(occurredAt) } : {};
  return { host, traceparent, tracestate, count, v, ...happened };
}

/** Only our own events: a received one may have the same id and has no audit. */
async function eventsOf(
  database: Database,
  audits: readonly Audit[],
): Promise<ReadonlyMap<Uuid, readonly EventValues[]>> {
  const ids = audits.map(({ eventId }) => eventId).filter(isUuid);
  const rows =
    ids.length === 0
      ? []
      : await database.rows({
          text: `SELECT event_id, event_type, stream_id, stream_position, data, metadata, recorded_at,
              host, extract(epoch FROM occurred_at) * 1000
            FROM svc_events WHERE event_id = ANY($1) AND origin = 0`,
          values: [ids],
        });
  const found = new Map<Uuid, EventValues[]>();
  for (const [id, type, streamId, position, data, metadata, recordedAt, host, occurredAt] of rows) {
    const facts: EventValues = {
      type,
      streamId,
      position: Number(position),
      body: JSON.parse(data ?? 'null'),
      recorded: { at: recordedAt ?? null, ...envelopeIn(metadata) },
      covered: { ...fieldsIn(metadata), host, occurredAt: Number(occurredAt) },
    };
    found.set(id ?? '', [...(found.get(id ?? '') ?? []), facts]);
  }
  return found;
}

interface StoredCounts {
  readonly byType: ReadonlyMap<string, number>;
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
  readonly #counts = { compared: 0, altered: 0, deleted: 0, redacted: 0 };
  readonly #faults: EventFault[] = [];
  readonly #audited = new Map<string, number>();

  take({ at, eventId, facts }: Audit, candidates: readonly EventValues[]): void {
    this.#counts.compared++;
    const compared = candidates.map((event) => compareEvent(facts, event));
    const best = compared.find(({ differs }) => differs === undefined) ?? compared[0];
    if (best !== undefined) {
      const type = String(candidates[compared.indexOf(best)]?.type);
      this.#audited.set(type, (this.#audited.get(type) ?? 0) + 1);
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

  report({ byType, gaps }: StoredCounts): EventsReport {
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
    };
  }
}
