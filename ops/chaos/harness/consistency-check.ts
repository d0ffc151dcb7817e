/** A command of a client, with its own correlation id. */
export interface SentCommand {
  readonly correlationId: string;
  readonly command: 'CreateOrder' | 'CancelOrder' | 'ShipOrder';
  /** Its order, once it is known. */
  readonly orderId?: string | undefined;
  /** The carrier is down: the error-hook answers, and nothing may be stored. */
  readonly recovered?: boolean;
  readonly acknowledged: boolean;
}

interface StoredEvent {
  readonly eventId: string;
  readonly streamId: string;
  readonly correlationId: string;
  /** The number of EventAudited with its exact position. */
  readonly audits: number;
}

export interface StoredState {
  readonly events: readonly StoredEvent[];
  /** The correlation id of every CommandAudited. */
  readonly commandAudits: readonly string[];
  /** EventAudited without an event. */
  readonly orphans: number;
}

export interface Findings {
  /** Acknowledged, and its event is not stored. */
  readonly lost: number;
  /** Stored or audited more than once. */
  readonly doubled: number;
  /** Acknowledged without a CommandAudited. */
  readonly unaudited: number;
  /** Events without their EventAudited or the CommandAudited of their command. */
  readonly missing: number;
  /** Stored or audited without cause. */
  readonly phantom: number;
}

/** Compares the answers of clients with what is stored. */
export function checkConsistency(sent: readonly SentCommand[], stored: StoredState): Findings {
  const events = groupBy(stored.events, (event) => event.correlationId);
  const audits = groupBy(stored.commandAudits, (correlationId) => correlationId);
  let [lost, unaudited, phantom] = [0, 0, stored.orphans];
  const known = new Set<string>();
  for (const { correlationId, acknowledged, recovered, orderId } of sent) {
    known.add(correlationId);
    const own = events.get(correlationId) ?? [];
    const audited = audits.has(correlationId);
    if (recovered === true) {
      if (own.length > 0 || audited) phantom++;
    } else if (acknowledged) {
      if (!own.some(({ streamId }) => streamId === orderId)) lost++;
      if (!audited) unaudited++;
    }
  }
  for (const correlationId of [...events.keys(), ...audits.keys()]) if (!known.has(correlationId)) phantom++;
  const twice = [...events.values(), ...audits.values()].filter((list) => list.length > 1).length;
  const auditedTwice = stored.events.filter((event) => event.audits > 1).length;
  const missing = stored.events.filter((event) => event.audits === 0 || !audits.has(event.correlationId));
  return { lost, doubled: twice + auditedTwice, unaudited, missing: missing.length, phantom };
}

function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
}
