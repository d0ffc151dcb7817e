import type { AccessOrigin, Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { isUuid } from '../../contracts/scalars.js';
import type {
  ReadModels,
  RowResult,
  RowsPage,
  RowsQuery,
} from '../../runtime/perspectives/reads/read-models.js';
import type { PerspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { withRank } from '../../runtime/perspectives/reads/row-cursor.js';
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

  /** The row of an id, and what is said of it and of its model; a UUID matches in any case, other keys exactly. */
  async find(caller: Identity | undefined, id: string, origin: AccessOrigin): Promise<FoundRow> {
    const states = new Set<string>();
    for (const key of keysOf(id)) {
      const { model, state, isParked } = await this.one(caller, key, origin);
      if (state !== undefined) states.add(state);
      if (isParked) states.add('parked');
      if (model !== undefined) return { model, states };
    }
    return { model: undefined, states };
  }

  /** Rows are counted and divided into pages after the check, so that what is refused leaves no trace. */
  async #checkedPage(selected: RowsQuery, mayRead: (model: unknown) => boolean): Promise<RowsPage> {
    const { after, ...whole } = selected;
    const { rows: all, state } = await this.#visible({ ...whole, offset: 0 }, mayRead);
    // Only the database knows where a cursor points: the row may be gone, and texts are ordered there.
    const rest =
      after === undefined
        ? { rows: all.slice(selected.offset), start: selected.offset }
        : await this.#visible(selected, mayRead);
    // Counted without refused rows.
    const rows = rest.rows
      .slice(0, selected.limit)
      .map(({ model, cursor }, at) => ({ model, cursor: withRank(cursor, rest.start + at + 1) }));
    const next = rest.rows.length > rows.length ? rows.at(-1)?.cursor : undefined;
    return {
      ...state,
      models: JSON.stringify(rows.map(({ model }) => model)),
      total: all.length,
      isExact: true,
      start: rest.start,
      ...(next === undefined ? {} : { next }),
      ...(selected.withCursors === true ? { cursors: rows.map(({ cursor }) => cursor) } : {}),
    };
  }

  async #visible(query: RowsQuery, mayRead: (model: unknown) => boolean): Promise<VisiblePart> {
    const limits = { limit: maxChecked + 1, count: 'none', withCursors: true } as const;
    const found = await this.models.page(this.table, { ...query, ...limits });
    const { models, cursors = [], start, state } = found;
    const parsed = JSON.parse(models) as unknown[];
    if (parsed.length > maxChecked)
      throw new Problem('invalid-query', {
        detail: `More than ${maxChecked} rows match; filter by more columns.`,
      });
    const rows = parsed.map((model, at) => ({ model, cursor: cursors[at] ?? '' }));
    return {
      rows: rows.filter(({ model }) => mayRead(model)),
      start,
      state: state === undefined ? {} : { state },
    };
  }
}

interface FoundRow {
  readonly model: string | undefined;
  readonly states: ReadonlySet<string>;
}

function keysOf(id: string): readonly string[] {
  if (id.includes('\0')) return [];
  const small = id.toLowerCase();
  return small !== id && isUuid(small) ? [id, small] : [id];
}

interface VisiblePart {
  readonly rows: readonly { readonly model: unknown; readonly cursor: string }[];
  readonly start: number;
  readonly state: Pick<RowsPage, 'state'>;
}

/** Tenants come from an authenticated scope, never from a header; without authentication there is none. */
const tenantOf = (caller: Identity | undefined): string | undefined => caller?.scope.tenantId;
