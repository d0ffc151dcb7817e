/** A record of a system stream, as its store or the monitor holds it. */
export interface HeldRecord {
  readonly store: string;
  readonly position: number;
  readonly eventId: string;
  readonly hash: string;
}

export interface BroadcastFindings {
  /** Broadcast, and the monitor does not have it. */
  readonly notReceived: number;
  /** More than once at the monitor. */
  readonly receivedTwice: number;
  /** At the monitor, and nobody broadcast it so. */
  readonly strange: number;
  /** After one that comes later in its stream. */
  readonly disordered: number;
}

/** Compares what hosts broadcast with what a monitor holds, in the order of arrival. */
export function checkBroadcast(
  sent: readonly HeldRecord[],
  received: readonly HeldRecord[],
): BroadcastFindings {
  const expected = new Set(sent.map(identityOf));
  const seen = new Set<string>();
  const last = new Map<string, number>();
  let [receivedTwice, strange, disordered] = [0, 0, 0];
  for (const record of received) {
    const identity = identityOf(record);
    if (seen.has(identity)) receivedTwice++;
    else if (!expected.has(identity)) strange++;
    seen.add(identity);
    if (record.position < (last.get(record.store) ?? 0)) disordered++;
    last.set(record.store, record.position);
  }
  const notReceived = [...expected].filter((identity) => !seen.has(identity)).length;
  return { notReceived, receivedTwice, strange, disordered };
}

const identityOf = ({ store, position, eventId, hash }: HeldRecord): string =>
  `${store} ${position} ${eventId} ${hash}`;
