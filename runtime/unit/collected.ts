import type { StoredEvent } from '../../contracts/event-store.js';

/** All events of a read. */
export async function collected(events: AsyncIterable<StoredEvent>): Promise<readonly StoredEvent[]> {
  const list: StoredEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}
