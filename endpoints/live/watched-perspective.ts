import type { Identity } from '../../contracts/identity.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import type { ScopeFilters } from '../../contracts/perspective-scope.js';
import type { AccessGuard } from '../../runtime/access/access-guard.js';
import type { LiveResume } from '../../runtime/live/live-position.js';
import type { LiveRow } from '../../runtime/live/live-row.js';
import { rowSelection } from '../../runtime/live/row-selection.js';
import type { Watcher } from '../../runtime/live/watcher.js';
import { log } from '../../runtime/logging/log.js';
import type { FoldRules } from '../../runtime/perspectives/fold/fold.js';
import { perspectiveTable, type TableColumn } from '../../runtime/perspectives/tables/perspective-table.js';
import type { RowFilter } from '../../runtime/perspectives/reads/read-models.js';
import type { ReadQuery } from '../queries/parse-query.js';
import { everyRow, type RowAccess, rowAccessOf } from '../queries/row-access.js';

/** What a client watches. */
export interface Asked {
  readonly key: string | undefined;
  readonly filters: ReadQuery['filters'];
  readonly after: LiveResume | undefined;
}

/** A perspective as its watchers see it: with the rules of access that its readers have. */
export class WatchedPerspective {
  readonly rules: FoldRules;
  readonly #access: RowAccess;
  readonly #columns: ReadonlyMap<string, TableColumn>;

  constructor(
    readonly perspective: AnyPerspective,
    guard: AccessGuard | undefined,
    isSensitive: boolean,
  ) {
    const table = perspectiveTable(perspective);
    this.rules = { perspective, table };
    this.#columns = new Map(table.columns.map((column) => [column.name, column]));
    this.#access =
      guard === undefined ? everyRow : rowAccessOf(perspective, this.#columns, guard, isSensitive);
  }

  get scopeFlags(): ScopeFilters {
    return this.#access.flags;
  }

  watcher(
    caller: Identity | undefined,
    { key, filters, after }: Asked,
    { name, send }: { readonly name: string; readonly send: Watcher['send'] },
  ): Watcher {
    const tenant = caller?.scope.tenantId;
    const limits = this.#access.filtersFor(caller);
    const { mayRead } = this.#access;
    return {
      caller: name,
      key,
      after,
      send,
      scope: rowSelection(tenant, limits),
      selection: rowSelection(tenant, [...limits, ...this.#filtersOf(filters)]),
      isLimited: limits.length > 0 || mayRead !== undefined,
      mayRead: mayRead && ((row) => this.#isReadable(row, caller, mayRead)),
    };
  }

  #filtersOf(filters: ReadQuery['filters']): readonly RowFilter[] {
    return filters.flatMap(({ name, operator, values }): RowFilter[] => {
      const column = this.#columns.get(name);
      return column === undefined ? [] : [{ column, operator, values }];
    });
  }

  /** A rule that fails refuses: others must not wait for it. */
  #isReadable(
    row: LiveRow,
    caller: Identity | undefined,
    mayRead: NonNullable<RowAccess['mayRead']>,
  ): boolean {
    try {
      return mayRead(row.value, caller);
    } catch (err) {
      log.error({ err, perspective: this.perspective.name }, 'authorize failed; the row is not sent');
      return false;
    }
  }
}
