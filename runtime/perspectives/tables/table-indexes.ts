import { createHash } from 'node:crypto';
import type { PerspectiveTable } from './perspective-table.js';

type Indexed = Pick<PerspectiveTable, 'table' | 'columns' | 'hash' | 'newestFirst'>;

interface TableIndex {
  readonly name: string;
  readonly on: string;
  /** Built only where the database has the extension pg_trgm. */
  readonly isTrigram: boolean;
}

/** The table that is read, the one that a rebuild fills, and the one that it replaced. */
type Prefix = 'svc_by' | 'svc_nx' | 'svc_ox';

/**
 * Each holds the rows of a tenant in an order that readers ask for, and within equal values by id: a page is read
 * from its start or from a cursor without sorting.
 */
export function indexesOf(
  { columns, hash, newestFirst }: Omit<Indexed, 'table'>,
  prefix: Prefix = 'svc_by',
): TableIndex[] {
  const named = (of: string, on: string, isTrigram = false): TableIndex => ({
    name: `${prefix}_${hash.slice(0, 8)}_${of}`,
    on,
    isTrigram,
  });
  return [
    named('id', '(tenant, id)'),
    ...(newestFirst ? [named('position', '(tenant, position, id)')] : []),
    ...columns.map(({ column }) => named(shortOf(column), `(tenant, "${column}", id)`)),
    ...columns
      .filter(({ type }) => type === 'text')
      .map(({ column }) => named(`${shortOf(column)}.part`, `USING gin ("${column}" %s.gin_trgm_ops)`, true)),
  ];
}

const longest = 38;

/** PostgreSQL cuts a name after 63 characters, and two columns may begin alike. */
const shortOf = (column: string): string =>
  column.length <= longest
    ? column
    : `${column.slice(0, longest - 9)}_${createHash('sha256').update(column).digest('hex').slice(0, 8)}`;

/** Idempotent. A row that is too long for an entry leaves its table without that index, and not without the others. */
export function makeIndexes(table: Indexed, prefix?: Prefix): string {
  const all = indexesOf(table, prefix);
  const plain = all.filter(({ isTrigram }) => !isTrigram).map((index) => orNone(creation(index, table)));
  const trigrams = all
    .filter(({ isTrigram }) => isTrigram)
    .map((index) => `EXECUTE format($sql$${creation(index, table)}$sql$, quote_ident(place));`);
  return /* sql */ `
DO $$
DECLARE
  place text;
BEGIN
${plain.join('\n')}
  SELECT n.nspname INTO place FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  IF FOUND THEN
${trigrams.join('\n')}
  END IF;
END $$;`;
}

const creation = ({ name, on }: TableIndex, { table }: Indexed): string =>
  `CREATE INDEX IF NOT EXISTS "${name}" ON ${table} ${on}`;

const orNone = (statement: string): string =>
  `  BEGIN ${statement}; EXCEPTION WHEN program_limit_exceeded THEN NULL; END;`;

/** A rebuilt table takes over the names of the one that it replaces. */
export const renameIndexes = (table: Indexed): string => {
  const [served, built, replaced] = (['svc_by', 'svc_nx', 'svc_ox'] as const).map((prefix) =>
    indexesOf(table, prefix).map(({ name }) => name),
  );
  const rename = (from: readonly string[] = [], to: readonly string[] = []): string[] =>
    from.map((name, at) => `ALTER INDEX IF EXISTS "${name}" RENAME TO "${to[at] ?? ''}";`);
  return [...rename(served, replaced), ...rename(built, served)].join('\n');
};
