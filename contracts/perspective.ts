import type { StoredEvent } from './event-store.js';
import type { Event, MessageClass } from './message.js';

/** How a perspective is built anew. */
export const RebuildMode = Object.freeze({
  /** From empty into a shadow table, verified, then swapped: readers never see a half-built model. */
  BlueGreen: 'BlueGreen',
  /** Truncated, then replayed. */
  InPlace: 'InPlace',
  /** Only the streams that are named. */
  SelectedStreams: 'SelectedStreams',
} as const);
export type RebuildMode = (typeof RebuildMode)[keyof typeof RebuildMode];

/** What a column of a perspective's table holds. */
export type ColumnType = 'text' | 'uuid' | 'integer' | 'bigint' | 'numeric' | 'boolean' | 'timestamptz';

/** A value of the model that readers may filter and sort by; it has a column and an index of its own. */
export interface PerspectiveColumn<TModel> {
  readonly type: ColumnType;
  of(model: TModel): string | number | boolean | null | undefined;
}

/** A read model: what it takes, which row an event belongs to, and how the row changes. */
export interface Perspective<TModel, TEvent extends Event = Event> {
  /** Kebab-case: `order-summary` lives in `svc_per_order_summary`. */
  readonly name: string;
  /** Domain and system events alike. */
  readonly events: readonly MessageClass<TEvent>[];
  initial(): TModel;
  /** Pure; null deletes the row. */
  apply(model: TModel, event: StoredEvent<TEvent>): TModel | null;
  /** Which row; the event's stream unless told otherwise. */
  key?(event: StoredEvent<TEvent>): string;
  /** What a late event does to a row that gathers several streams: it is applied as it comes, or the model is rebuilt. */
  readonly late?: 'apply' | 'rebuild';
  /** By the name that readers filter and sort with, in camelCase. */
  readonly columns?: Readonly<Record<string, PerspectiveColumn<TModel>>>;
  /** A snapshot after so many events of a row; 100 unless told otherwise. */
  readonly snapshotEvery?: number;
  /** Raised when `apply` means something else than before: the model is then replayed. */
  readonly version?: number;
  /** Where it can be read: `GET <route>` and `GET <route>/{id}`. */
  readonly route?: string;
  /** Readers get what changed last first, unless they ask for another order. */
  readonly newestFirst?: boolean;
}
