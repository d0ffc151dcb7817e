import type { Event, MessageClass } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { LogEntry } from '../perspectives/log-entry.js';
import type { LogTail } from '../perspectives/log-tail.js';
import type { CursorEvent, CursorLog } from './cursor-log.js';

/** Reads the tail of the log together with the other cursors of the host. */
export function postgresCursorLog(
  events: readonly MessageClass[],
  tail: LogTail,
  store: Uuid,
  upcasters: Upcasters | undefined,
): CursorLog {
  const types = new Set(events.map(({ name }) => name));
  tail.take(events);
  return {
    page: async (after, limit) => {
      const { entries, to, head } = await tail.page(events, types, after, limit);
      return { entries: entries.map((entry) => cursorEvent(entry, store, upcasters)), to, head };
    },
  };
}

function cursorEvent(
  { event, key, fault, sealed }: LogEntry,
  own: Uuid,
  upcasters: Upcasters | undefined,
): CursorEvent {
  const isForeign = key.store !== own;
  const read = { event, store: key.store, isForeign };
  if (fault !== undefined) return { ...read, fault };
  if (sealed === undefined || upcasters?.sealing === undefined) return read;
  try {
    const payload = upcasters.sealing.carry({ event, isForeign }) as Event;
    return { ...read, event: upcasters.apply({ ...event, payload }) };
  } catch (error) {
    return { ...read, fault: error };
  }
}
