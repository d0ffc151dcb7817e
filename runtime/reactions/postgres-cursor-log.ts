import type { Followed } from '../../contracts/event-origin.js';
import type { Event } from '../../contracts/message.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { LogEntry } from '../perspectives/log-entry.js';
import type { LogTail } from '../perspectives/log-tail.js';
import type { CursorEvent, CursorLog } from './cursor-log.js';

/** Reads the tail of the log together with the other cursors of the host. */
export function postgresCursorLog(
  followed: Followed,
  tail: LogTail,
  upcasters: Upcasters | undefined,
): CursorLog {
  const types = new Set(followed.events.map(({ name }) => name));
  tail.take(followed);
  return {
    page: async (after, limit) => {
      const { entries, to, head } = await tail.page(followed, types, after, limit);
      return { entries: entries.map((entry) => cursorEvent(entry, upcasters)), to, head };
    },
  };
}

function cursorEvent(
  { event, key, isForeign, fault, isSealed }: LogEntry,
  upcasters: Upcasters | undefined,
): CursorEvent {
  const read = { event, store: key.store, isForeign };
  if (fault !== undefined) return { ...read, fault };
  if (isSealed !== true || upcasters?.sealing === undefined) return read;
  try {
    const payload = upcasters.sealing.carry({ event, isForeign }) as Event;
    return { ...read, event: upcasters.apply({ ...event, payload }) };
  } catch (error) {
    return { ...read, fault: error };
  }
}
