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

interface StoredWork {
  readonly events: readonly StoredEvent[];
  /** The correlation id of every CommandAudited. */
  readonly commandAudits: readonly string[];
}

/** What the commands of clients have stored. */
export interface StoredState extends StoredWork {
  /** EventAudited without an event. */
  readonly orphans: number;
  /** What the service did because of them: at most one command for each. */
  readonly byService?: StoredWork;
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
  const own = grouped(stored);
  const byService = grouped(stored.byService ?? { events: [], commandAudits: [] });
  let [lost, unaudited, phantom] = [0, 0, stored.orphans];
  const known = new Set<string>();
  for (const { correlationId, acknowledged, recovered, orderId } of sent) {
    known.add(correlationId);
    const events = own.events.get(correlationId) ?? [];
    const audited = own.audits.has(correlationId);
    if (recovered === true) {
      if (events.length > 0 || audited) phantom++;
    } else if (acknowledged) {
      if (!events.some(({ streamId }) => streamId === orderId)) lost++;
      if (!audited) unaudited++;
    }
  }
  for (const { events, audits } of [own, byService])
    for (const id of [...events.keys(), ...audits.keys()]) if (!known.has(id)) phantom++;
  const doubled = doubledIn(own) + doubledIn(byService);
  return { lost, doubled, unaudited, missing: missingIn(own) + missingIn(byService), phantom };
}

/** By correlation id. */
interface Grouped {
  readonly events: ReadonlyMap<string, readonly StoredEvent[]>;
  readonly audits: ReadonlyMap<string, readonly string[]>;
}

const grouped = ({ events, commandAudits }: StoredWork): Grouped => ({
  events: groupBy(events, ({ correlationId }) => correlationId),
  audits: groupBy(commandAudits, (correlationId) => correlationId),
});

const doubledIn = ({ events, audits }: Grouped): number =>
  [...events.values(), ...audits.values()].filter((list) => list.length > 1).length +
  [...events.values()].flat().filter((event) => event.audits > 1).length;

const missingIn = ({ events, audits }: Grouped): number =>
  [...events.values()].flat().filter((event) => event.audits === 0 || !audits.has(event.correlationId))
    .length;

function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
}
