import type { StoredEvent } from './event-store.js';
import type { Event, MessageClass } from './message.js';

/** How a perspective is built anew. */
export const RebuildMode = {
  /** From empty into a shadow table, verified, then swapped: readers never see a half-built model. */
  BlueGreen: 'BlueGreen',
  /** Truncated, then replayed. */
  InPlace: 'InPlace',
  /** Only the streams that are named. */
  SelectedStreams: 'SelectedStreams',
} as const;
export type RebuildMode = (typeof RebuildMode)[keyof typeof RebuildMode];

/** A read model: what it takes, which row an event belongs to, and how the row changes. */
export interface Perspective<TModel, TEvent extends Event = Event> {
  readonly name: string;
  /** Domain and system events alike. */
  readonly events: readonly MessageClass<TEvent>[];
  initial(): TModel;
  /** Pure; null deletes the row. */
  apply(model: TModel, event: StoredEvent<TEvent>): TModel | null;
  /** Which row; the event's stream unless told otherwise. */
  key?(event: StoredEvent<TEvent>): string;
}
