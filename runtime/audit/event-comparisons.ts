import type { Long } from '../../contracts/scalars.js';
import {
  type AuditedValues,
  compareEvent,
  type Comparison,
  type EventValues,
} from './compare-event-with-audit.js';

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
  /** Positions of the log that hold neither event nor record anymore; deleted audited events count too. */
  readonly gaps: number;
  /** How many values are redacted in their audits and were not compared. */
  readonly redacted: number;
  /** How many events have no audit, by type: excluded, not opted in, or stored while events were not audited. */
  readonly unaudited: Readonly<Record<string, number>>;
  /** How many audits are about events that are archived, and were not compared. */
  readonly archived?: number;
  /** How many events of other stores have no audit here. */
  readonly unauditedReceived: number;
}

/** What the log holds. */
export interface StoredCounts {
  /** Our own. */
  readonly byType: ReadonlyMap<string, number>;
  readonly received: number;
  readonly gaps: number;
}

/** An audit of an event. */
export interface Audit {
  readonly at: Long;
  readonly eventId: string;
  /** The store that sent the event; undefined for our own. */
  readonly origin: string | undefined;
  readonly facts: AuditedValues;
}

const maxFaults = 100;

/** Counts what differs, and names the first. */
export class Comparisons {
  readonly #counts = { compared: 0, received: 0, altered: 0, deleted: 0, redacted: 0 };
  readonly #faults: EventFault[] = [];
  readonly #audited = new Map<string, number>();
  #auditedReceived = 0;
  #archived = 0;

  /** The event of an audit is archived. */
  skip(): void {
    this.#archived++;
  }

  take({ at, eventId, origin, facts }: Audit, candidates: readonly EventValues[]): void {
    this.#counts[origin === undefined ? 'compared' : 'received']++;
    const [best, type] = bestOf(facts, candidates);
    if (best !== undefined) {
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
      ...(this.#archived === 0 ? {} : { archived: this.#archived }),
      unauditedReceived: Math.max(0, received - this.#auditedReceived),
    };
  }
}

/** An id may be used again much later; but only one event can be where the audit says. */
function bestOf(
  audit: AuditedValues,
  candidates: readonly EventValues[],
): readonly [best: Comparison | undefined, type: string] {
  const isThere = (event: EventValues) =>
    event.streamId === audit.streamId && event.position === audit.position;
  const there = candidates.filter(isThere);
  const compared = (there.length === 0 ? candidates : there).map((event) => compareEvent(audit, event));
  const best = compared.find(({ differs }) => differs !== undefined) ?? compared[0];
  const type = String((there[0] ?? candidates[0])?.type);
  if (best === undefined || there.length < 2) return [best, type];
  return [{ differs: best.differs ?? 'position', redacted: best.redacted }, type];
}
