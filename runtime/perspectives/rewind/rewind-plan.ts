import type { Uuid } from '../../../contracts/scalars.js';
import type { WriteBatch } from '../fold/write-batch.js';
import type { LogEntry } from '../../log/log-entry.js';
import { compareKeys } from '../../log/order-key.js';

/** A stream that must be folded again, and the earliest of its late events. */
export interface LateStream {
  readonly key: Uuid;
  readonly trigger: LogEntry;
}

interface RewindPlan {
  readonly streams: readonly LateStream[];
  /** Events of all other streams. */
  readonly others: readonly LogEntry[];
  readonly forget: WriteBatch['forget'];
}

/** The late events of a stream become one rewind. A parked stream is folded when it is released, but not from a snapshot after the late event. */
export function planRewind(entries: readonly LogEntry[], parked: ReadonlySet<string>): RewindPlan {
  const earliest = new Map<Uuid, LogEntry>();
  for (const entry of entries.filter(({ late }) => late)) {
    const known = earliest.get(entry.event.streamId);
    if (known === undefined || compareKeys(entry.key, known.key) < 0)
      earliest.set(entry.event.streamId, entry);
  }
  const late = [...earliest].map(([key, trigger]) => ({ key, trigger }));
  return {
    streams: late.filter(({ key }) => !parked.has(key)),
    others: entries.filter(({ event }) => !earliest.has(event.streamId)),
    forget: late.map(({ key, trigger }) => ({ key, after: trigger.key })),
  };
}
