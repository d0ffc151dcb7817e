import type { AccessOrigin, Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { ReadModels, RowResult, RowsPage, RowsQuery } from '../../runtime/perspectives/read-models.js';
import type { PerspectiveTable } from '../../runtime/perspectives/perspective-table.js';
import type { RowAccess } from './row-access.js';

/** Each is parsed and checked in this process, so more would hold up other requests. */
const maxChecked = 2_000;

/** The rows of a perspective as a caller sees them. */
export class VisibleRows {
  constructor(
    private readonly models: ReadModels,
    private readonly table: PerspectiveTable,
    private readonly access: RowAccess,
  ) {}

  page(caller: Identity | undefined, asked: Omit<RowsQuery, 'tenant'>): Promise<RowsPage> {
    const { mayRead } = this.access;
    const filters = [...this.access.filtersFor(caller), ...asked.filters];
    const query = { ...asked, tenant: tenantOf(caller), filters };
    return mayRead === undefined
      ? this.models.page(this.table, query)
      : this.#checkedPage(query, (model) => mayRead(model, caller));
  }

  async one(caller: Identity | undefined, id: string, origin: AccessOrigin = {}): Promise<RowResult> {
    const { filtersFor, mayRead, rejected } = this.access;
    const found = await this.models.one(this.table, id, tenantOf(caller), filtersFor(caller));
    const { model, isParked, ...state } = found;
    // A parked row that the caller cannot see may be of another tenant.
    if (model === undefined) return { ...state, isParked: isParked && !this.access.isLimited };
    if (mayRead === undefined || mayRead(JSON.parse(model), caller)) return found;
    rejected?.(id, caller, origin);
    return { ...state, isParked: false };
  }

  /** Rows are counted and divided into pages after the check, so that what is refused leaves no trace. */
  async #checkedPage(selected: RowsQuery, mayRead: (model: unknown) => boolean): Promise<RowsPage> {
    const { models, total, ...state } = await this.models.page(this.table, {
      ...selected,
      offset: 0,
      limit: maxChecked,
    });
    if (total > maxChecked)
      throw new Problem('invalid-query', {
        detail: `More than ${maxChecked} rows match; filter by more columns.`,
      });
    const visible = (JSON.parse(models) as unknown[]).filter(mayRead);
    const rows = visible.slice(selected.offset, selected.offset + selected.limit);
    return { ...state, models: JSON.stringify(rows), total: visible.length };
  }
}

/** Tenants come from an authenticated scope, never from a header; without authentication there is none. */
const tenantOf = (caller: Identity | undefined): string | undefined => caller?.scope.tenantId;
