import type { MessageClass } from '../../contracts/message.js';
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
      const { entries, to } = await tail.page(events, types, after, limit);
      return { entries: entries.map((entry) => cursorEvent(entry, store, upcasters)), to };
    },
  };
}

function cursorEvent(
  { event, key, fault, sealed }: LogEntry,
  own: Uuid,
  upcasters: Upcasters | undefined,
): CursorEvent {
  const read = { event, store: key.store, isForeign: key.store !== own };
  if (fault !== undefined) return { ...read, fault };
  if (sealed === undefined || upcasters === undefined) return read;
  try {
    return { ...read, event: upcasters.apply(event) };
  } catch (error) {
    return { ...read, fault: error };
  }
}
