import type { StoredEvent } from '../contracts/event-store.js';
import { microsOf } from './store/micros.js';

/** Own and received events of a stream in the order in which they happened; of the same moment, own ones come first. */
export function byOccurrence(
  own: readonly StoredEvent[],
  received: readonly StoredEvent[],
): readonly StoredEvent[] {
  if (received.length === 0) return own;
  return [...own, ...received]
    .map((event) => ({ event, at: microsOf(event.occurredAt) }))
    .toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
    .map(({ event }) => event);
}
