import type { AgentRead } from './agent-tool.js';
import type { EventOrigin } from './event-origin.js';
import type { StoredEvent } from './event-store.js';
import type { RequiredPermission } from './identity.js';
import type { Event, MessageClass } from './message.js';
import type { PerspectiveScope, ScopeFilters } from './perspective-scope.js';

/**
 * How a perspective is rebuilt.
 *
 * @example
 * ```ts
 * await service.rebuild('order-summary', { mode: RebuildMode.BlueGreen });
 * await service.rebuild('order-summary', { mode: RebuildMode.SelectedStreams, streams: [orderId] });
 * ```
 */
export const RebuildMode = Object.freeze({
  /** Built from empty in a shadow table, verified, then swapped: readers never see a partial model. */
  BlueGreen: 'BlueGreen',
  /** Truncated, then replayed. */
  InPlace: 'InPlace',
  /** Only the named streams. */
  SelectedStreams: 'SelectedStreams',
} as const);
export type RebuildMode = (typeof RebuildMode)[keyof typeof RebuildMode];

/** The type of a column of a perspective's table. */
export type ColumnType = 'text' | 'uuid' | 'integer' | 'bigint' | 'numeric' | 'boolean' | 'timestamptz';

/** A derived value of the model that readers may filter and sort by; it has its own indexed column. */
export interface PerspectiveColumn<TModel> {
  readonly type: ColumnType;
  of(model: TModel): string | number | boolean | null | undefined;
}

/** The row that `apply` gets. Only a class without `initial` must expect undefined. */
type RowBefore<This, TModel, TEvent extends Event> = This extends { initial(): unknown }
  ? TModel
  : Perspective<TModel, TEvent> extends This
    ? TModel
    : TModel | undefined;

/**
 * A read model: which events it takes, which rows an event belongs to, and how a row changes. A row belongs to the
 * tenant of the event that created it; events of other tenants are not folded into it.
 *
 * @example
 * ```ts
 * class OrderTotals implements Perspective<{ total: Decimal }, OrderCreated> {
 *   readonly name = 'order-totals'; readonly events = [OrderCreated]; readonly columns = { total: 'numeric' } as const;
 *   apply = (_: unknown, { payload: { total } }: StoredEvent<OrderCreated>) => ({ total });
 * }
 * ```
 */
export interface Perspective<TModel, TEvent extends Event = Event> {
  /** Kebab-case: `order-summary` is stored in `svc_per_order_summary`. */
  readonly name: string;
  /** Domain and system events. */
  readonly events: readonly MessageClass<TEvent>[];
  /**
   * Whose events: by default those of the own store; `others` and `all` subscribe to those of other stores. Changing it
   * replays the model.
   */
  readonly origin?: EventOrigin;
  /** The row before its first event. Without it `apply` gets undefined. */
  initial?(): TModel;
  /** Pure; null deletes the row. `key` is the key of the row. */
  readonly apply: (
    model: RowBefore<this, TModel, TEvent>,
    event: StoredEvent<TEvent>,
    key: string,
  ) => TModel | null;
  /** The row of the event, or up to 1,000 different ones, or `[]` for none. Default: the stream. */
  key?(event: StoredEvent<TEvent>): string | readonly string[];
  /** How a late event changes a row of several streams: it is applied on arrival, or the model is rebuilt. */
  readonly late?: 'apply' | 'rebuild';
  /** What readers filter and sort by: the type of a field with this name, or a derived value. */
  readonly columns?: Readonly<Record<string, ColumnType | PerspectiveColumn<TModel>>>;
  /** Events of a row between two snapshots; default 100. */
  readonly snapshotEvery?: number;
  /** Increase it when the meaning of `apply` changes: the model is then replayed. */
  readonly version?: number;
  /** Where it can be read: `GET <route>` and `GET <route>/{id}`. */
  readonly route?: string;
  /** The permission that a reader of the route needs; required when the host authenticates. */
  readonly permission?: RequiredPermission;
  /** Agents may read it with tools, if they have the permission. The generator writes the tools. */
  readonly agent?: true | AgentRead;
  /**
   * The members of the caller's scope that a row must match besides the tenant, such as `ScopeFilters.User`. Each needs
   * a column of type text or uuid: `organizationId`, `customerId`, `userId`, or `principal`, which must be one of the
   * caller's allowed principals. Callers who lack the member see no row. Without authentication there is no filter.
   */
  readonly filters?: ScopeFilters;
  /**
   * Whether a caller may see a row, where columns cannot express it. A refused row is not found, and missing from
   * lists. A list calls it for every row that the filters select: pages are full and counts exact, but a list of more
   * than 2,000 rows is refused, so prefer `filters`. It is not called without authentication.
   */
  authorize?(model: TModel, scope: PerspectiveScope): boolean;
  /** Lists start with the most recently changed rows, unless the reader asks for another order. */
  readonly newestFirst?: boolean;
}

/** A perspective of any rows and events. */
export interface AnyPerspective<TModel = unknown> extends Omit<Perspective<TModel>, 'apply'> {
  apply(model: TModel | undefined, event: StoredEvent, key: string): TModel | null;
}
