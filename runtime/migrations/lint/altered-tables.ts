import type { AlterTableCmd, AlterTableType, ColumnDef, Constraint, Node } from 'libpg-query';

const altered = new Set(['OBJECT_TABLE', 'OBJECT_FOREIGN_TABLE', 'OBJECT_TYPE']);

/** The parts of an ALTER TABLE of this kind. */
export function commandsIn(node: Node, ...kinds: readonly AlterTableType[]): readonly AlterTableCmd[] {
  if (!('AlterTableStmt' in node) || !altered.has(node.AlterTableStmt.objtype ?? '')) return [];
  return (node.AlterTableStmt.cmds ?? []).flatMap((part) =>
    'AlterTableCmd' in part && kinds.some((kind) => kind === part.AlterTableCmd.subtype)
      ? [part.AlterTableCmd]
      : [],
  );
}

export const addedColumns = (node: Node): readonly ColumnDef[] =>
  commandsIn(node, 'AT_AddColumn').flatMap(({ def }) => (def && 'ColumnDef' in def ? [def.ColumnDef] : []));

/** Constraints of the table, not those written behind a column. */
export const addedConstraints = (node: Node): readonly Constraint[] =>
  commandsIn(node, 'AT_AddConstraint').flatMap(({ def }) =>
    def && 'Constraint' in def ? [def.Constraint] : [],
  );

const constraintsOf = ({ constraints = [] }: ColumnDef): readonly Constraint[] =>
  constraints.flatMap((one) => ('Constraint' in one ? [one.Constraint] : []));

/** Whether one of these constraints is written behind the column. */
export const isMarked = (column: ColumnDef, ...kinds: readonly Constraint['contype'][]): boolean =>
  constraintsOf(column).some(({ contype }) => kinds.includes(contype));

export const isRequired = (column: ColumnDef): boolean =>
  isMarked(column, 'CONSTR_NOTNULL', 'CONSTR_PRIMARY');

const serial = /^(?:big|small)?serial[248]?$/;

const isSerial = ({ typeName }: ColumnDef): boolean => {
  const last = typeName?.names?.at(-1);
  return last !== undefined && 'String' in last && serial.test(last.String.sval ?? '');
};

const defaultOf = (column: ColumnDef): Node | undefined =>
  constraintsOf(column).find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr;

/** Whether rows that do not name the column get a value. */
export function hasValue(column: ColumnDef): boolean {
  const value = defaultOf(column);
  if (value !== undefined) return !('A_Const' in value && value.A_Const.isnull === true);
  return isSerial(column) || isMarked(column, 'CONSTR_IDENTITY', 'CONSTR_GENERATED');
}

const volatileFunction = /^(?:random|gen_random_uuid|clock_timestamp|timeofday|nextval|uuid\w*)$/i;

/** Whether each existing row gets a value of its own, so that all are written again. */
export function rewritesRows(column: ColumnDef): boolean {
  const isStored = constraintsOf(column).some(
    ({ contype, generated_kind: kind }) => contype === 'CONSTR_GENERATED' && kind !== 'v',
  );
  return (
    isStored ||
    isSerial(column) ||
    isMarked(column, 'CONSTR_IDENTITY') ||
    calls(defaultOf(column), volatileFunction)
  );
}

/** Whether an expression calls such a function anywhere; a deep one must not overflow the stack. */
function calls(expression: Node | undefined, name: RegExp): boolean {
  const waiting: unknown[] = [expression];
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const called =
      'FuncCall' in next
        ? (next as Extract<Node, { FuncCall: unknown }>).FuncCall.funcname?.at(-1)
        : undefined;
    if (called !== undefined && 'String' in called && name.test(called.String.sval ?? '')) return true;
    waiting.push(...Object.values(next));
  }
  return false;
}
