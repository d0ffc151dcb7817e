import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { OrderKey } from './order-key.js';

/** An event of the log, as followers read it. */
export interface LogEntry {
  readonly event: StoredEvent<Event>;
  readonly key: OrderKey;
  /** When it was stored, its stream already held a greater order key. */
  readonly late: boolean;
  /** It was received from another store. */
  readonly isForeign: boolean;
  /** It was imported, not appended. */
  readonly isImported?: true;
  /** Why it cannot be read: no upcaster leads to the newest version, or a sealed value was changed. */
  readonly fault?: unknown;
  /** Its sealed values are not opened yet, nor is it upcast. */
  readonly isSealed?: true;
}

/** The events of a follower after its position. */
export interface Page {
  readonly entries: readonly LogEntry[];
  /** Everything up to here was read. */
  readonly to: Long;
  /** The last position of the log. */
  readonly head: Long;
}

/** A part of the log, found by an index: some events, or domain events of streams, each behind a position. */
export type OnlyThese =
  | { readonly positions: readonly Long[] }
  | { readonly streams: readonly Uuid[]; readonly behind: readonly Long[] };

/** The log as one follower reads it. */
export interface LogReader {
  page(after: Long, limit: number, only?: OnlyThese): Promise<Page>;
}
