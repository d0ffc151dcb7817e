/** A record of a system stream in its store or at the monitor. */
export interface HeldRecord {
  readonly store: string;
  readonly position: number;
  readonly eventId: string;
  readonly hash: string;
}

export interface BroadcastFindings {
  /** Broadcast and not received by the monitor. */
  readonly notReceived: number;
  /** Stored more than once at the monitor. */
  readonly receivedTwice: number;
  /** At the monitor without a matching broadcast. */
  readonly strange: number;
  /** After a record with a higher position in its stream. */
  readonly disordered: number;
}

/** Compares the records that hosts broadcast with those of the monitor, in order of arrival. */
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
