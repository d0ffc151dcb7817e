import type { StoredEvent } from '../../contracts/event-store.js';
import type { Timestamp } from '../../contracts/scalars.js';

/**
 * Own and received events of a stream in the order in which they happened; at the same moment, own events come first.
 */
export function byOccurrence(
  own: readonly StoredEvent[],
  received: readonly StoredEvent[],
): readonly StoredEvent[] {
  if (received.length === 0) return own;
  return [...own, ...received].toSorted(
    (one, other) =>
      Date.parse(one.occurredAt) - Date.parse(other.occurredAt) ||
      microsOf(one.occurredAt) - microsOf(other.occurredAt),
  );
}

/** The digits below a millisecond, which a Date drops. */
const microsOf = (time: Timestamp): number =>
  Number((/\.(\d+)/.exec(time)?.[1] ?? '').padEnd(6, '0').slice(3, 6));
