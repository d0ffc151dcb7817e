import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { LogEntry } from './log-entry.js';

type Read = Pick<LogEntry, 'late' | 'key' | 'isForeign' | 'isImported'>;

/** An entry with its event in the newest version; one with sealed values stays as it is stored, for `openEntries`. */
export function entryWith(read: Read, event: StoredEvent<Event>, upcasters: Upcasters | undefined): LogEntry {
  if (upcasters === undefined) return { ...read, event };
  if (upcasters.sealing?.has(event.messageType) === true) return { ...read, event, isSealed: true };
  try {
    return { ...read, event: upcasters.apply(event) };
  } catch (fault) {
    return { ...read, event, fault };
  }
}

/** An entry with its sealed values as they are, for those who pass them on. */
export function carriedEntry(entry: LogEntry, upcasters: Upcasters | undefined): LogEntry {
  if (entry.isSealed !== true || upcasters?.sealing === undefined) return entry;
  const { isSealed: _, event, ...read } = entry;
  try {
    const payload = upcasters.sealing.carry({ event, isForeign: read.isForeign }) as Event;
    return { ...read, event: upcasters.apply({ ...event, payload }) };
  } catch (fault) {
    return { ...read, event, fault };
  }
}

/** The entries with their sealed values opened: entries that are kept in memory stay sealed, until they are used. */
export async function openEntries(
  entries: readonly LogEntry[],
  upcasters: Upcasters | undefined,
): Promise<readonly LogEntry[]> {
  const sealing = upcasters?.sealing;
  const sealed = sealing === undefined ? [] : entries.filter(({ isSealed }) => isSealed === true);
  if (upcasters === undefined || sealing === undefined || sealed.length === 0) return entries;
  const opened = await sealing.open(sealed.map(({ event, isForeign }) => ({ event, isForeign })));
  const byEntry = new Map(sealed.map((entry, index) => [entry, opened[index]]));
  return entries.map((entry) => {
    const found = byEntry.get(entry);
    if (found === undefined) return entry;
    const { isSealed: _, event, ...read } = entry;
    if ('fault' in found) return { ...read, event, fault: found.fault };
    const payload = found.payload as Event;
    try {
      return { ...read, event: upcasters.apply({ ...event, payload }) };
    } catch (fault) {
      return { ...read, event: { ...event, payload }, fault };
    }
  });
}
