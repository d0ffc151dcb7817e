import { escapeIdentifier, escapeLiteral } from '../database/pg-exports.js';
import type { ColumnCopy } from './sql-file-header.js';
import { sha256 } from './migration-item.js';

/** An index on the column, and the same on its copy. */
export interface CopiedIndex {
  readonly name: string;
  readonly copy: string;
  readonly create: string;
}

/** The column as the catalog describes it. */
export interface CopiedColumn {
  readonly isRequired: boolean;
  readonly fallback: string | null;
  /** The sequence that the column owns. */
  readonly sequence: string | null;
  readonly indexes: readonly CopiedIndex[];
}

export type CopySql = ReturnType<typeof copySql>;

export const newNameOf = (column: string): string => `${column}__svc_new`;
const oldNameOf = (column: string): string => `${column}__svc_old`;

/** Every statement of a column copy; all but the last can be repeated. */
export function copySql({ table, column, type, using }: ColumnCopy) {
  const fresh = escapeIdentifier(newNameOf(column));
  const old = escapeIdentifier(oldNameOf(column));
  const name = escapeIdentifier(column);
  const mark = sha256(`${table} ${column} ${type} ${using}`);
  // Row triggers fire in order of name: the copy sees the changes of all others.
  const both = `zzz_svc_copy_${sha256(`${table} ${column}`).slice(0, 8)}`;
  const value = `CAST((${using}) AS ${type})`;
  const differs = `${fresh}::text IS DISTINCT FROM ${value}::text`;
  return {
    mark,
    pages: `SELECT pg_relation_size(${escapeLiteral(table)}::regclass) / current_setting('block_size')::int`,
    probe: `SELECT ${value} FROM ${table} LIMIT 0`,
    expand: `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${fresh} ${type};
COMMENT ON COLUMN ${table}.${fresh} IS ${escapeLiteral(mark)};
CREATE OR REPLACE FUNCTION ${both}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $svc$
BEGIN
  NEW.${fresh} := (SELECT ${value} FROM (SELECT NEW.*) AS ${table.split('.').at(-1) ?? table});
  RETURN NEW;
EXCEPTION WHEN OTHERS THEN
  -- The writer is not to blame: the copy will find the row and say what is wrong with it.
  NEW.${fresh} := NULL;
  RETURN NEW;
END $svc$;
CREATE OR REPLACE TRIGGER ${both} BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${both}()`,
    /** Locked rows are left for the next pass: no one waits for us, and no deadlock can occur. */
    backfill: `UPDATE ${table} SET ${fresh} = ${value} WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM ${table} WHERE ctid >= $1::tid AND ctid < $2::tid AND ${differs} FOR NO KEY UPDATE SKIP LOCKED))`,
    verify: `SELECT count(*) FROM ${table} WHERE ${differs}`,
    require: `ALTER TABLE ${table} ADD CONSTRAINT ${both} CHECK (${fresh} IS NOT NULL) NOT VALID`,
    validate: `ALTER TABLE ${table} VALIDATE CONSTRAINT ${both}`,
    swap: (copied: CopiedColumn): string =>
      swapSql({ table, name, fresh, old, both, type }, copied).join(';\n'),
    undo: `DROP TRIGGER IF EXISTS ${both} ON ${table};
ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${both}, DROP COLUMN IF EXISTS ${fresh};
DROP FUNCTION IF EXISTS ${both}()`,
    analyze: `ANALYZE ${table} (${name})`,
    constraint: both,
  };
}

interface Names {
  readonly table: string;
  readonly name: string;
  readonly fresh: string;
  readonly old: string;
  readonly both: string;
  readonly type: string;
}

/** Nothing here reads rows: the lock is held only for catalog changes. */
function swapSql(names: Names, { isRequired, fallback, sequence, indexes }: CopiedColumn): string[] {
  const { table, name, fresh, old, both, type } = names;
  const alter = `ALTER TABLE ${table}`;
  const required = [`${alter} ALTER COLUMN ${name} SET NOT NULL`, `${alter} DROP CONSTRAINT ${both}`];
  return [
    `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
    `DROP TRIGGER ${both} ON ${table}`,
    `DROP FUNCTION ${both}()`,
    `${alter} DROP COLUMN IF EXISTS ${old}`,
    `${alter} ALTER COLUMN ${name} DROP NOT NULL, ALTER COLUMN ${name} DROP DEFAULT`,
    `${alter} RENAME COLUMN ${name} TO ${old}`,
    `${alter} RENAME COLUMN ${fresh} TO ${name}`,
    `COMMENT ON COLUMN ${table}.${name} IS NULL`,
    ...(isRequired ? required : []),
    ...(fallback === null
      ? []
      : [`${alter} ALTER COLUMN ${name} SET DEFAULT CAST((${fallback}) AS ${type})`]),
    ...(sequence === null ? [] : [`ALTER SEQUENCE ${sequence} OWNED BY ${table}.${name}`]),
    ...indexes.flatMap((index) => [
      `DROP INDEX ${index.name}`,
      `ALTER INDEX ${index.copy} RENAME TO ${index.name.split('.').at(-1) ?? ''}`,
    ]),
  ];
}
