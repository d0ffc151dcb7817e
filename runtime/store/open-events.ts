import type { StoredEvent } from '../../contracts/event-store.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Row } from '../database/database.js';
import { originOf, storedEventOf } from './stored-rows.js';

/** The events of a page of rows with their sealed values opened, as upcasters take them. */
export async function openEvents(
  page: readonly Row[],
  { sealing }: Upcasters,
  storeOf?: (origin: string) => Uuid | undefined,
): Promise<readonly StoredEvent[]> {
  const events = page.map((row) => storedEventOf(row, storeOf));
  if (sealing === undefined || !events.some(({ messageType }) => sealing.has(messageType))) return events;
  const opened = await sealing.open(
    events.map((event, index) => ({ event, isForeign: originOf(page[index] ?? []) !== undefined })),
  );
  return events.map((event, index) => {
    const found = opened[index];
    if (found === undefined) return event;
    if ('fault' in found) throw found.fault;
    return found.payload === event.payload ? event : { ...event, payload: found.payload };
  });
}
