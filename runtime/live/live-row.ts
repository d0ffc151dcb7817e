import type { Long } from '../../contracts/scalars.js';
import { columnValue } from '../perspectives/tables/column-value.js';
import type { StoredModel } from '../perspectives/fold/fold.js';
import type { TableColumn } from '../perspectives/tables/perspective-table.js';

/** A row as watchers see it; parsed once for all of them, and only if one of them needs it. */
export class LiveRow implements StoredModel {
  readonly model: string;
  readonly tenant: string | null;
  readonly position: Long;
  readonly applied: number;
  #value: unknown;
  readonly #columns = new Map<TableColumn, Value>();

  constructor({ model, tenant, position, applied }: StoredModel) {
    this.model = model;
    this.tenant = tenant;
    this.position = position;
    this.applied = applied;
  }

  /** The model, parsed. */
  get value(): unknown {
    return (this.#value ??= JSON.parse(this.model));
  }

  /** The value of a column; null when a model of an earlier version has none. */
  column(column: TableColumn): Value {
    const known = this.#columns.get(column);
    if (known !== undefined) return known;
    const value = valueIfAny(column, this.value);
    this.#columns.set(column, value);
    return value;
  }
}

type Value = ReturnType<typeof columnValue>;

function valueIfAny(column: TableColumn, model: unknown): Value {
  try {
    return columnValue(column, model);
  } catch {
    return null;
  }
}
