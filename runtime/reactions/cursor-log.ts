import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import type { Long, Uuid } from '../../contracts/scalars.js';

/** An event of the log, as a cursor meets it. Sealed values stay sealed. */
export interface CursorEvent {
  readonly event: StoredEvent<Event>;
  /** The store that wrote it. */
  readonly store: Uuid;
  readonly isForeign: boolean;
  /** Why it cannot be read: no upcaster leads to its newest version. */
  readonly fault?: unknown;
}

interface CursorPage {
  readonly entries: readonly CursorEvent[];
  /** Everything up to here was read. */
  readonly to: Long;
  /** The end of the log at that time. */
  readonly head: Long;
}

/** The events of one reaction or process. */
export interface CursorLog {
  page(after: Long, limit: number): Promise<CursorPage>;
}
