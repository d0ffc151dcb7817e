import type { Node } from 'libpg-query';
import {
  addedColumns,
  addedConstraints,
  commandsIn,
  hasValue,
  isMarked,
  isRequired,
  rewritesRows,
} from './altered-tables.js';

interface Rule {
  readonly rule: string;
  /** `breaks`: running code fails; `blocks`: it waits. */
  readonly effect: 'breaks' | 'blocks';
  readonly matches: (node: Node) => boolean;
  readonly message: string;
  readonly instead: string;
}

/** Objects that code uses by name. */
const used = new Set([
  'OBJECT_TABLE',
  'OBJECT_FOREIGN_TABLE',
  'OBJECT_VIEW',
  'OBJECT_MATVIEW',
  'OBJECT_TYPE',
  'OBJECT_DOMAIN',
  'OBJECT_SCHEMA',
  'OBJECT_SEQUENCE',
  'OBJECT_FUNCTION',
  'OBJECT_PROCEDURE',
  'OBJECT_ROUTINE',
  'OBJECT_AGGREGATE',
]);
const usedParts = new Set([...used, 'OBJECT_COLUMN', 'OBJECT_ATTRIBUTE']);

const contract =
  'first deploy code that reads the new structure only; then remove the old one in a later release, in a file with -- svc: min-level=N';

/** What one statement does to running code, whatever came before it. */
export const statementRules: readonly Rule[] = [
  {
    rule: 'not-null-without-default',
    effect: 'breaks',
    matches: (node) => addedColumns(node).some((column) => isRequired(column) && !hasValue(column)),
    message:
      'a required column without a default fails on existing rows, and on every insert of running code',
    instead:
      'add an optional column; deploy code that reads it and falls back to the old logic; backfill; then make it required',
  },
  {
    rule: 'set-not-null',
    effect: 'breaks',
    matches: (node) =>
      commandsIn(node, 'AT_SetNotNull').length > 0 ||
      addedConstraints(node).some(({ contype }) => contype === 'CONSTR_NOTNULL'),
    message:
      'running code that does not write the column yet fails, and the whole table is read under a lock',
    instead:
      'deploy code that always writes it; backfill; ADD CONSTRAINT … CHECK (c IS NOT NULL) NOT VALID; VALIDATE CONSTRAINT; then SET NOT NULL, in a file with -- svc: min-level=N',
  },
  {
    rule: 'rename',
    effect: 'breaks',
    matches: (node) =>
      ('RenameStmt' in node && usedParts.has(node.RenameStmt.renameType ?? '')) ||
      ('AlterEnumStmt' in node && node.AlterEnumStmt.oldVal !== undefined) ||
      ('AlterObjectSchemaStmt' in node && used.has(node.AlterObjectSchemaStmt.objectType ?? '')),
    message: 'running code still uses the old name',
    instead: `expand: add the new name, write both, backfill; contract: ${contract}`,
  },
  {
    rule: 'drop',
    effect: 'breaks',
    matches: (node) =>
      ('DropStmt' in node && used.has(node.DropStmt.removeType ?? '')) ||
      'DropOwnedStmt' in node ||
      commandsIn(node, 'AT_DropColumn').length > 0,
    message: 'running code still uses what is dropped',
    instead: contract,
  },
  {
    rule: 'type-change',
    effect: 'breaks',
    matches: (node) => commandsIn(node, 'AT_AlterColumnType').length > 0,
    message: 'the table is rewritten under a lock, and running code sees another type',
    instead: 'copy the column: -- svc: column-copy table=… column=… type=… using=…',
  },
  {
    rule: 'index-without-concurrently',
    effect: 'blocks',
    matches: (node) => 'IndexStmt' in node && node.IndexStmt.concurrent !== true,
    message: 'writers wait until the index is built',
    instead: 'CREATE INDEX CONCURRENTLY IF NOT EXISTS, in a separate file: it runs outside a transaction',
  },
  {
    rule: 'drop-index-without-concurrently',
    effect: 'blocks',
    matches: (node) =>
      'DropStmt' in node && node.DropStmt.removeType === 'OBJECT_INDEX' && node.DropStmt.concurrent !== true,
    message: 'readers and writers wait behind the lock',
    instead: 'DROP INDEX CONCURRENTLY IF EXISTS, in a separate file: it runs outside a transaction',
  },
  {
    rule: 'constraint-without-not-valid',
    effect: 'blocks',
    matches: (node) =>
      addedConstraints(node).some(
        ({ contype, skip_validation: isNotValid }) =>
          (contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN') && isNotValid !== true,
      ),
    message: 'every row is checked under a lock',
    instead: 'ADD CONSTRAINT … NOT VALID in one file, VALIDATE CONSTRAINT in the next',
  },
  {
    rule: 'unique-constraint',
    effect: 'blocks',
    matches: (node) =>
      addedColumns(node).some((column) => isMarked(column, 'CONSTR_UNIQUE', 'CONSTR_PRIMARY')) ||
      addedConstraints(node).some(
        ({ contype, indexname }) =>
          (contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY' || contype === 'CONSTR_EXCLUSION') &&
          indexname === undefined,
      ),
    message: 'readers and writers wait until its index is built',
    instead: 'CREATE UNIQUE INDEX CONCURRENTLY first, then ADD CONSTRAINT … UNIQUE USING INDEX',
  },
  {
    rule: 'volatile-default',
    effect: 'blocks',
    matches: (node) => addedColumns(node).some(rewritesRows),
    message: 'the whole table is rewritten under a lock, because each row gets its own value',
    instead: 'add the column without a default; SET DEFAULT; backfill in batches',
  },
  {
    rule: 'whole-table-update',
    effect: 'blocks',
    matches: (node) =>
      ('UpdateStmt' in node && node.UpdateStmt.whereClause === undefined) ||
      ('DeleteStmt' in node && node.DeleteStmt.whereClause === undefined),
    message: 'every row is locked until the end of the transaction',
    instead: 'backfill in batches, or let column-copy do it',
  },
  {
    rule: 'table-lock',
    effect: 'blocks',
    matches: (node) =>
      'LockStmt' in node || 'ClusterStmt' in node || 'TruncateStmt' in node || isFullVacuum(node),
    message: 'readers and writers wait for the lock',
    instead: 'do it during downtime, with the recreate strategy',
  },
];

const isFullVacuum = (node: Node): boolean =>
  'VacuumStmt' in node && hasOption(node.VacuumStmt.options, 'full');

const hasOption = (options: readonly Node[] | undefined, name: string): boolean =>
  (options ?? []).some((option) => 'DefElem' in option && option.DefElem.defname === name);

/** Whether the server refuses it inside a transaction. */
export const runsAlone = (node: Node): boolean =>
  ('IndexStmt' in node && node.IndexStmt.concurrent === true) ||
  ('DropStmt' in node && node.DropStmt.concurrent === true) ||
  ('ReindexStmt' in node && hasOption(node.ReindexStmt.params, 'concurrently')) ||
  ('VacuumStmt' in node && node.VacuumStmt.is_vacuumcmd === true) ||
  commandsIn(node, 'AT_DetachPartition').some(
    ({ def }) => def !== undefined && 'PartitionCmd' in def && def.PartitionCmd.concurrent === true,
  );

const ofTransaction = new Set([
  'TRANS_STMT_BEGIN',
  'TRANS_STMT_START',
  'TRANS_STMT_COMMIT',
  'TRANS_STMT_ROLLBACK',
  'TRANS_STMT_PREPARE',
]);

/** Whether it would begin or end the transaction that a file shares with its ledger entry. */
export const endsTransaction = (node: Node): boolean =>
  'TransactionStmt' in node && ofTransaction.has(node.TransactionStmt.kind ?? '');
