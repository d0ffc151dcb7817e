import type { AccessOrigin, Identity } from '../../contracts/identity.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import { scopeMembers } from '../../contracts/resource-scope.js';
import { isUuid } from '../../contracts/scalars.js';
import { type PerspectiveScope, ScopeFilters } from '../../contracts/perspective-scope.js';
import type { AccessGuard } from '../../runtime/access/access-guard.js';
import { hiddenProblem } from '../problem.js';
import type { RowFilter } from '../../runtime/perspectives/reads/read-models.js';
import type { TableColumn } from '../../runtime/perspectives/tables/perspective-table.js';

type Caller = Identity | undefined;

/** Which rows of a perspective a caller may see. */
export interface RowAccess {
  /** Whether it depends on the caller. */
  readonly isLimited: boolean;
  /** For the events. */
  readonly flags: ScopeFilters;
  readonly filtersFor: (caller: Caller) => readonly RowFilter[];
  /** Unset: every row that the filters select. */
  readonly mayRead?: (model: unknown, caller: Caller) => boolean;
  /** Records that `mayRead` refused the row that a caller asked for. */
  readonly rejected?: (id: string, caller: Caller, origin: AccessOrigin) => void;
}

/** A column that selects the rows of a caller, beside the scope. */
export interface CallersRows {
  readonly column: string;
  readonly of: (caller: Caller) => readonly string[];
}

/** Under it, perspectives of the runtime select rows by what a caller may do. */
export const callersRows = Symbol('rows of a caller');

/** On a host that does not authenticate. */
export const everyRow: RowAccess = { isLimited: false, flags: ScopeFilters.None, filtersFor: () => [] };

/** Rows are always limited to the caller's tenant. Errors about sensitive rows are hidden in the log. */
export function rowAccessOf(
  perspective: AnyPerspective & HasCallersRows,
  columns: ReadonlyMap<string, TableColumn>,
  guard: AccessGuard,
  isSensitive = false,
): RowAccess {
  const { name: type, permission = 'authenticated', filters = ScopeFilters.None } = perspective;
  const limits = [...limitsOf(filters), ...permittedBy(perspective)].map(([name, valuesOf]) => {
    const column = columns.get(name);
    if (column !== undefined && ['text', 'uuid'].includes(column.type)) return { column, valuesOf };
    throw new Problem('invalid-setup', {
      detail: `The filters of perspective ${type} need a column '${name}' of type text or uuid.`,
    });
  });
  return {
    isLimited: true,
    flags: ScopeFilters.Tenant | filters,
    filtersFor: (caller) =>
      limits.map(({ column, valuesOf }) => ({
        column,
        operator: 'eq',
        values: storable(valuesOf(caller), column),
      })),
    ...(perspective.authorize === undefined
      ? {}
      : {
          mayRead: (model, caller) => {
            try {
              return perspective.authorize?.(model, scopeOf(caller)) === true;
            } catch (error) {
              throw isSensitive ? hiddenProblem(error) : error;
            }
          },
          rejected: (id, caller, origin) => guard.rejected(caller, permission, { type, id }, origin),
        }),
  };
}

type Limit = readonly [column: string, valuesOf: (caller: Caller) => readonly string[]];

export interface HasCallersRows {
  readonly [callersRows]?: CallersRows;
}

const permittedBy = ({ [callersRows]: own }: HasCallersRows): readonly Limit[] =>
  own === undefined ? [] : [[own.column, own.of]];

function limitsOf(filters: ScopeFilters): readonly Limit[] {
  const members = scopeMembers
    .filter(([flag]) => flag !== ScopeFilters.Tenant && (filters & flag) !== 0)
    .map(([, member]): Limit => [
      member,
      (caller) => {
        const { [member]: value } = scopeOf(caller);
        return value === undefined ? [] : [value];
      },
    ]);
  const hasPrincipal = (filters & ScopeFilters.Principal) !== 0;
  return hasPrincipal ? [...members, ['principal', (caller) => scopeOf(caller).allowedPrincipals]] : members;
}

const scopeOf = (caller: Caller): PerspectiveScope => caller?.scope ?? noScope;

const noScope: PerspectiveScope = { allowedPrincipals: [], extensions: {} };

/** PostgreSQL would fail on a value that is no UUID, where it should find nothing. */
const storable = (values: readonly string[], { type }: TableColumn): readonly string[] =>
  type === 'uuid' ? values.filter(isUuid) : values;
