import type { TableColumn } from '../tables/perspective-table.js';

export type FilterOperator = 'eq' | 'gte' | 'gt' | 'lte' | 'lt' | 'in' | 'contains';

/** Of several values, any matches. */
export interface RowFilter {
  readonly column: TableColumn;
  readonly operator: FilterOperator;
  readonly values: readonly string[];
}

/** Where a page of one query begins, as opaque text; it grants no access. */
export type RowCursor = string;

/** Selects and orders rows of a perspective. */
export interface RowsQuery {
  /** Rows of other tenants are never returned; without a tenant only rows without one are. */
  readonly tenant: string | undefined;
  /** Rows must match all of them. */
  readonly filters: readonly RowFilter[];
  readonly sort: readonly { readonly column: TableColumn; readonly descending: boolean }[];
  /** Without a sort, what changed last comes first. */
  readonly newestFirst: boolean;
  readonly limit: number;
  /** Only without a cursor. */
  readonly offset: number;
  readonly after?: RowCursor;
  /** Exact; exact up to a thousand rows and then estimated; or only what the page itself proves. */
  readonly count: 'exact' | 'bounded' | 'none';
  /** Returns the cursor of every row. */
  readonly withCursors?: boolean;
}

/** A warning for readers: the model is being refilled in place, or that failed and rows are missing. */
export type ModelState = 'rebuilding' | 'incomplete';

export interface RowsPage {
  /** A JSON array of models. */
  readonly models: string;
  /** How many rows match. */
  readonly total: number;
  readonly isExact: boolean;
  /** Continues after the last row; absent when it is the last of all. */
  readonly next?: RowCursor;
  /** Of each row, if the query asks for them. */
  readonly cursors?: readonly RowCursor[];
  /** How many rows come before the first one; counted by the cursor if there is one. */
  readonly start: number;
  readonly state?: ModelState;
}
