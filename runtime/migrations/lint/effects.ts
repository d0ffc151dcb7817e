import type { Constraint, Node } from 'libpg-query';
import { addedColumns, addedConstraints, commandsIn, hasValue, isRequired } from './altered-tables.js';
import { namesOf, objectName, tableName } from './sql-object-names.js';

/** What a statement does to the schema, as far as the order of steps depends on it. */
export type Effect =
  | { readonly kind: 'creates'; readonly object: string; readonly columns?: readonly NewColumn[] }
  | { readonly kind: 'drops'; readonly object: string }
  | { readonly kind: 'renames'; readonly object: string; readonly to: string }
  | ({ readonly kind: 'adds' } & OfColumn & { readonly hasValue: boolean })
  | ({ readonly kind: 'drops-column' | 'backfills' } & OfColumn)
  | ({ readonly kind: 'renames-column' } & OfColumn & { readonly to: string })
  /** `not-valid`: only for rows that are written from now on. */
  | ({ readonly kind: 'requires' } & OfColumn & {
        readonly by: 'not-null' | 'check' | 'not-valid';
        readonly constraint?: string;
      })
  | { readonly kind: 'validates'; readonly object: string; readonly constraint: string };

interface OfColumn {
  readonly object: string;
  readonly column: string;
}

interface NewColumn {
  readonly column: string;
  readonly hasValue: boolean;
}

export function effectsOf(node: Node): readonly Effect[] {
  if ('CreateStmt' in node) return [created(node.CreateStmt)];
  if ('CreateTableAsStmt' in node)
    return [{ kind: 'creates', object: tableName(node.CreateTableAsStmt.into?.rel) }];
  if ('ViewStmt' in node) return [{ kind: 'creates', object: tableName(node.ViewStmt.view) }];
  if ('CreateFunctionStmt' in node)
    return [{ kind: 'creates', object: namesOf(node.CreateFunctionStmt.funcname) }];
  if ('CreateEnumStmt' in node) return [{ kind: 'creates', object: namesOf(node.CreateEnumStmt.typeName) }];
  if ('DropStmt' in node && node.DropStmt.removeType !== 'OBJECT_INDEX')
    return (node.DropStmt.objects ?? []).map((object) => ({ kind: 'drops', object: objectName(object) }));
  if ('UpdateStmt' in node) return backfilled(node.UpdateStmt);
  if ('RenameStmt' in node) return renamed(node.RenameStmt);
  return 'AlterTableStmt' in node ? altered(node, tableName(node.AlterTableStmt.relation)) : [];
}

type Of<K extends string> =
  Extract<Node, Readonly<Record<K, unknown>>> extends Readonly<Record<K, infer T>> ? T : never;

const created = ({ relation, tableElts = [] }: Of<'CreateStmt'>): Effect => ({
  kind: 'creates',
  object: tableName(relation),
  columns: tableElts.flatMap((part) =>
    'ColumnDef' in part
      ? [
          {
            column: part.ColumnDef.colname ?? '',
            hasValue: hasValue(part.ColumnDef) || isRequired(part.ColumnDef),
          },
        ]
      : [],
  ),
});

const backfilled = ({ relation, targetList = [] }: Of<'UpdateStmt'>): readonly Effect[] =>
  targetList.flatMap((target) =>
    'ResTarget' in target
      ? [{ kind: 'backfills' as const, object: tableName(relation), column: target.ResTarget.name ?? '' }]
      : [],
  );

function renamed({ relation, renameType, subname = '', newname = '' }: Of<'RenameStmt'>): readonly Effect[] {
  if (relation === undefined) return [];
  const object = tableName(relation);
  if (renameType === 'OBJECT_COLUMN')
    return [{ kind: 'renames-column', object, column: subname, to: newname }];
  const to = tableName({ ...relation, relname: newname });
  return renameType === 'OBJECT_TABLE' ? [{ kind: 'renames', object, to }] : [];
}

const altered = (node: Node, object: string): readonly Effect[] => [
  ...addedColumns(node).map((column): Effect => ({
    kind: 'adds',
    object,
    column: column.colname ?? '',
    hasValue: hasValue(column),
  })),
  ...commandsIn(node, 'AT_DropColumn').map(({ name = '' }): Effect => ({
    kind: 'drops-column',
    object,
    column: name,
  })),
  ...addedConstraints(node).flatMap((constraint) => requiredBy(object, constraint)),
  ...commandsIn(node, 'AT_ValidateConstraint').map(({ name = '' }): Effect => ({
    kind: 'validates',
    object,
    constraint: name,
  })),
  ...commandsIn(node, 'AT_SetNotNull').map(({ name = '' }): Effect => ({
    kind: 'requires',
    object,
    column: name,
    by: 'not-null',
  })),
];

/** `CHECK (c IS NOT NULL)`, or `NOT NULL c`. */
function requiredBy(
  object: string,
  { contype, raw_expr: check, keys, ...rest }: Constraint,
): readonly Effect[] {
  const { conname: constraint = '', skip_validation: isNotValid = false } = rest;
  const column =
    contype === 'CONSTR_NOTNULL' ? namesOf(keys) : contype === 'CONSTR_CHECK' ? presentIn(check) : undefined;
  if (column === undefined) return [];
  const by = isNotValid ? 'not-valid' : contype === 'CONSTR_NOTNULL' ? 'not-null' : 'check';
  return [{ kind: 'requires', object, column, by, constraint }];
}

function presentIn(check: Node | undefined): string | undefined {
  if (check === undefined || !('NullTest' in check) || check.NullTest.nulltesttype !== 'IS_NOT_NULL')
    return undefined;
  const { arg } = check.NullTest;
  return arg !== undefined && 'ColumnRef' in arg ? namesOf(arg.ColumnRef.fields?.slice(-1)) : undefined;
}
