/** A domain event of the ledgers, in the order of the log. */
export interface LedgerEvent {
  readonly type: string;
  /** The account, reminder, order or seat. */
  readonly key: string;
  readonly n?: number | undefined;
  readonly owner?: string | undefined;
  /** The number of its EventAudited. */
  readonly audits: number;
}

/** What the store holds after a run. */
export interface StoredLedgers {
  readonly events: readonly LedgerEvent[];
  /** How many CommandAudited each type of command has. */
  readonly commandAudits: ReadonlyMap<string, number>;
  /** The state of each process that ended, by its order; of another one, its status. */
  readonly processes: ReadonlyMap<string, string>;
  readonly timersLeft: number;
  readonly asideKeys: number;
  /** Who has a reserved seat. */
  readonly owners: readonly string[];
}

export interface LedgerFindings {
  /** Acknowledged and not stored, or without the effect that it must have. */
  readonly lost: number;
  /** Effects that happened more than once, or of both branches of a process. */
  readonly doubled: number;
  /** Effects without exactly one EventAudited, or without their CommandAudited. */
  readonly unaudited: number;
  readonly outOfOrder: number;
  /** Effects without a cause, such as of a timer after it was cancelled. */
  readonly phantom: number;
  /** Timers that are neither fired nor cancelled, and keys that are still aside. */
  readonly left: number;
  /** Processes whose state does not match their effect. */
  readonly mismatched: number;
  /** Seats that two had at the same time, and owners that the store and the log do not agree on. */
  readonly twoOwners: number;
}

/** An event that a client was promised. */
export const promised = (type: string, key: string, detail: string | number = ''): string =>
  `${type} ${key} ${detail}`;

const effectOf = { Note: 'Noted', Ring: 'Rang', Deliver: 'Delivered', Expire: 'Expired' } as const;

/** Counts every effect: `acknowledged` lists what clients were promised. */
export function checkLedgers(acknowledged: Iterable<string>, stored: StoredLedgers): LedgerFindings {
  const { events, timersLeft, asideKeys } = stored;
  const byType = groupBy(events, ({ type }) => type);
  const of = (type: string): readonly LedgerEvent[] => byType.get(type) ?? [];
  const known = new Set(events.map(nameOf));
  const notStored = [...acknowledged].filter((one) => !known.has(one)).length;
  const noted = compare(of('Counted'), of('Noted'));
  const rang = checkTimers(of('ReminderSet'), events);
  const ended = checkProcesses(stored, of);
  return {
    lost: notStored + noted.lost + rang.lost + ended.lost,
    doubled: events.length - countOf(events, nameOf) + ended.doubled,
    unaudited: unauditedIn(stored, of),
    outOfOrder: disorderIn(of('Counted'), of('Noted')),
    phantom: noted.phantom + rang.phantom,
    left: timersLeft + asideKeys,
    mismatched: ended.mismatched,
    twoOwners: checkSeats(events, stored.owners),
  };
}

const nameOf = ({ type, key, n, owner }: LedgerEvent): string => promised(type, key, n ?? owner);
const countOf = <T>(items: readonly T[], of: (item: T) => unknown): number => new Set(items.map(of)).size;

/** How many of the first are not in the second. */
const without = (set: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...set].filter((one) => !other.has(one)).length;

function groupBy<T>(items: readonly T[], of: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(of(item));
    if (group === undefined) groups.set(of(item), [item]);
    else group.push(item);
  }
  return groups;
}

function compare(causes: readonly LedgerEvent[], effects: readonly LedgerEvent[]) {
  const wanted = new Set(causes.map(({ key, n }) => promised('', key, n)));
  const found = new Set(effects.map(({ key, n }) => promised('', key, n)));
  return { lost: without(wanted, found), phantom: without(found, wanted) };
}

/** Effects that came before one of an earlier cause of the same key. */
function disorderIn(causes: readonly LedgerEvent[], effects: readonly LedgerEvent[]): number {
  const rank = new Map(causes.map(({ key, n }, index) => [promised('', key, n), index]));
  const last = new Map<string, number>();
  return effects.filter(({ key, n }) => {
    const own = rank.get(promised('', key, n)) ?? -1;
    const before = last.get(key) ?? -1;
    last.set(key, Math.max(own, before));
    return own < before;
  }).length;
}

/** A cancelled timer may have fired before, and never after. */
function checkTimers(set: readonly LedgerEvent[], events: readonly LedgerEvent[]) {
  const rang = new Set<string>();
  const cancelled = new Set<string>();
  let phantom = 0;
  for (const { type, key } of events) {
    if (type === 'ReminderCancelled') cancelled.add(key);
    else if (type === 'Rang') {
      if (cancelled.has(key)) phantom++;
      rang.add(key);
    }
  }
  return { phantom, lost: set.filter(({ key }) => !rang.has(key) && !cancelled.has(key)).length };
}

const stateAfter = { Delivered: 'paid', Expired: 'expired' } as const;

function checkProcesses({ processes }: StoredLedgers, of: (type: string) => readonly LedgerEvent[]) {
  const effects = groupBy([...of('Delivered'), ...of('Expired')], ({ key }) => key);
  const orders = of('Ordered').map(({ key }) => ({ state: processes.get(key), own: effects.get(key) ?? [] }));
  return {
    lost: orders.filter(({ own }) => own.length === 0).length,
    doubled: orders.filter(({ own }) => countOf(own, ({ type }) => type) > 1).length,
    mismatched: orders.filter(
      ({ state, own }) => own.length > 0 && state !== stateAfter[own[0]?.type as keyof typeof stateAfter],
    ).length,
  };
}

function unauditedIn(
  { events, commandAudits }: StoredLedgers,
  of: (type: string) => readonly LedgerEvent[],
): number {
  const unpaired = events.filter(({ audits }) => audits !== 1).length;
  return Object.entries(effectOf).reduce(
    (sum, [command, effect]) => sum + Math.abs(of(effect).length - (commandAudits.get(command) ?? 0)),
    unpaired,
  );
}

/** As the log says: who takes a seat must find it free, or have it. */
function checkSeats(events: readonly LedgerEvent[], owners: readonly string[]): number {
  const ownerOf = new Map<string, string | undefined>();
  let two = 0;
  for (const { type, key, owner } of events) {
    const now = ownerOf.get(key);
    if (type === 'Taken') {
      if (now !== undefined && now !== owner) two++;
      ownerOf.set(key, owner);
    } else if (type === 'Left' && now === owner) ownerOf.delete(key);
  }
  const inLog = new Set([...ownerOf.values()].map(String));
  const inStore = new Set(owners);
  return two + without(inLog, inStore) + without(inStore, inLog);
}
