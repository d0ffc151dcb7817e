import { partitions } from '../../contracts/reaction-store.js';
import type { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';

/** How many timers wait, due or not. */
export async function waitingTimers({ reactions }: InMemoryEventStore): Promise<number> {
  const parts = Array.from({ length: partitions }, (_, part) => part);
  const { due, nextInMs } = await reactions.dueTimers(parts, 1_000);
  return due.length + (nextInMs === null ? 0 : 1);
}
