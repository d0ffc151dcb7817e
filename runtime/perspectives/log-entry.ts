import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import type { Long, Uuid } from '../../contracts/scalars.js';

/** The position of an event in the order of occurrence. */
export interface OrderKey {
  /** Microseconds since 1970. */
  readonly at: number;
  readonly store: Uuid;
  readonly position: Long;
}

/** An event of the log, as perspectives read it. */
export interface LogEntry {
  readonly event: StoredEvent<Event>;
  readonly key: OrderKey;
  /** When it was stored, its stream already held a greater order key. */
  readonly late: boolean;
  /** Why it cannot be read: no upcaster leads to the newest version. */
  readonly fault?: unknown;
}

/** The events of a perspective after its cursor. */
export interface Page {
  readonly entries: readonly LogEntry[];
  /** Everything up to here was read. */
  readonly to: Long;
  /** The last position of the log. */
  readonly head: Long;
}

export function compareKeys(a: OrderKey, b: OrderKey): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.store !== b.store) return a.store < b.store ? -1 : 1;
  return a.position - b.position;
}
