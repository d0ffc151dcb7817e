import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import type { Long, Uuid } from '../../contracts/scalars.js';

/** Where an event stands in the order of what happened. */
export interface OrderKey {
  /** Microseconds since 1970. */
  readonly at: number;
  readonly store: Uuid;
  readonly position: Long;
}

/** An event of the log as a perspective meets it. */
export interface LogEntry {
  readonly event: StoredEvent<Event>;
  readonly key: OrderKey;
  /** When it was stored, its stream already held a greater key. */
  readonly late: boolean;
  /** Why it cannot be read: no upcaster brings it to the newest version. */
  readonly fault?: unknown;
}

/** What the log holds for a perspective after its cursor. */
export interface Page {
  readonly entries: readonly LogEntry[];
  /** Nothing is left unread up to here. */
  readonly to: Long;
  /** The last position of the log. */
  readonly head: Long;
}

export function compareKeys(a: OrderKey, b: OrderKey): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.store !== b.store) return a.store < b.store ? -1 : 1;
  return a.position - b.position;
}
