import { MigrationFailureReason } from '../../contracts/migration.js';
import type { Row, Session } from '../database/database.js';
import { type CopiedColumn, type CopiedIndex, newNameOf } from './column-copy-sql.js';
import { MigrationFailure } from './failure.js';
import type { ColumnCopy } from './sql-file-header.js';

/** The column in the catalog, and the progress of an earlier attempt. */
export interface CopyState extends CopiedColumn {
  readonly type: string;
  /** The mark of a copy that was started. */
  readonly begunBy: string | null;
  readonly isConstrained: boolean;
}

/** Reads the column; rejects what a copy of it would break. */
export async function readColumn(session: Session, copy: ColumnCopy, constraint: string): Promise<CopyState> {
  const { table, column } = copy;
  const [found] = await session.rows({
    text: `SELECT c.oid, c.relkind, c.relhassubclass, a.attnum, a.attnotnull, a.attidentity <> '' OR a.attgenerated <> '',
        pg_get_expr(d.adbin, d.adrelid), format_type(a.atttypid, a.atttypmod),
        (SELECT col_description(c.oid, n.attnum) FROM pg_attribute n WHERE n.attrelid = c.oid AND n.attname = $3 AND NOT n.attisdropped),
        EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conrelid = c.oid AND k.conname = $4),
        CASE WHEN a.attnum IS NOT NULL THEN pg_get_serial_sequence($1, $2) END
      FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = $2 AND NOT a.attisdropped AND a.attnum > 0
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.oid = to_regclass($1)`,
    values: [table, column, newNameOf(column), constraint],
  });
  if (found === undefined) throw refused(`There is no table ${table}`);
  const [
    oid,
    kind,
    hasChildren,
    attnum,
    isRequired,
    isOwn,
    fallback,
    type,
    begunBy,
    isConstrained,
    sequence,
  ] = found;
  if (kind !== 'r' || hasChildren === 't') throw refused(`${table} is not a plain table`);
  if (attnum === null || attnum === undefined) throw refused(`${table} has no column ${column}`);
  if (isOwn === 't') throw refused(`${table}.${column} is an identity or generated column`);
  await mustStandAlone(session, copy, oid ?? '', attnum);
  return {
    type: type ?? '',
    isRequired: isRequired === 't',
    fallback: fallback ?? null,
    sequence: sequence ?? null,
    begunBy: begunBy ?? null,
    isConstrained: isConstrained === 't',
    indexes: await indexesOf(session, copy, oid ?? '', attnum),
  };
}

/** Views, keys and checks refer to the column itself, not to its name: they would stay with the old one. */
async function mustStandAlone(
  session: Session,
  { table, column }: ColumnCopy,
  oid: string,
  attnum: string,
): Promise<void> {
  const held = await session.rows({
    text: `SELECT 'constraint ' || conname FROM pg_constraint
        WHERE contype <> 'n' AND (conrelid = $1 AND $2 = ANY(conkey) OR confrelid = $1 AND $2 = ANY(confkey))
      UNION SELECT 'view ' || r.ev_class::regclass FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
        WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = $1 AND d.refobjsubid = $2
      UNION SELECT 'index ' || i.indexrelid::regclass FROM pg_index i JOIN pg_depend d ON d.objid = i.indexrelid
        WHERE d.classid = 'pg_class'::regclass AND d.refobjid = $1 AND d.refobjsubid = $2
          AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL)`,
    values: [oid, attnum],
  });
  if (held.length === 0) return;
  const names = held.map(([name]) => name).join(', ');
  throw refused(
    `${names} depends on ${table}.${column}; drop it before the copy and create it again after it`,
  );
}

async function indexesOf(
  session: Session,
  { column }: ColumnCopy,
  oid: string,
  attnum: string,
): Promise<CopiedIndex[]> {
  const rows = await session.rows({
    text: `SELECT i.indexrelid::regclass, quote_ident(left(c.relname, 54) || '__svc_new'), pg_get_indexdef(i.indexrelid), quote_ident($3)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = $1 AND $2 = ANY(i.indkey)`,
    values: [oid, attnum, column],
  });
  return rows.map(indexOf(column));
}

const indexOf =
  (column: string) =>
  ([name, copy, definition, quoted]: Row): CopiedIndex => {
    const [head = '', ...rest] = (definition ?? '').split(' USING ');
    const [, unique = '', on = ''] = /^CREATE (UNIQUE )?INDEX .*? (ON .*)$/.exec(head) ?? [];
    const word = new RegExp(`(?<![\\w"])${(quoted ?? '').replaceAll(/[$"]/g, '\\$&')}(?![\\w"])`, 'g');
    const body = rest.join(' USING ').replaceAll(word, `"${newNameOf(column)}"`);
    return {
      name: name ?? '',
      copy: copy ?? '',
      create: `CREATE ${unique}INDEX CONCURRENTLY IF NOT EXISTS ${copy ?? ''} ${on} USING ${body}`,
    };
  };

const refused = (detail: string): MigrationFailure =>
  new MigrationFailure(MigrationFailureReason.SqlError, `${detail}.`);
