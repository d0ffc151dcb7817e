import { type Database, openDatabase } from '../../runtime/database/database.js';
import { migrate } from '../../runtime/migrations/migrate.js';
import { withDatabase } from '../../runtime/kit/database.js';

export interface Relation {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'type';
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** The tables that its foreign keys name. */
  readonly foreign: readonly string[];
}

export interface Catalog {
  readonly relations: readonly Relation[];
  /** The names of functions and procedures. */
  readonly routines: readonly string[];
}

/** What the runtime makes in an empty database, without the partitions. */
export const readCatalog = (): Promise<Catalog> =>
  withDatabase(async (url) => {
    await migrate({ ownerUrl: url });
    const database = openDatabase({ url });
    try {
      return {
        relations: (await first(database, relations)).map((text) => JSON.parse(text) as Relation),
        routines: await first(database, routines),
      };
    } finally {
      await database.close();
    }
  });

const first = async (database: Database, text: string): Promise<readonly string[]> =>
  (await database.rows({ text })).map(([value]) => value ?? '');

const relations = `SELECT json_build_object('name', c.relname,
  'kind', CASE c.relkind WHEN 'v' THEN 'view' WHEN 'c' THEN 'type' ELSE 'table' END,
  'columns', (SELECT json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
  'key', (SELECT coalesce(json_agg(a.attname ORDER BY k.place), '[]')
    FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY k(attnum, place)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    WHERE i.indrelid = c.oid AND i.indisprimary),
  'foreign', (SELECT coalesce(json_agg(DISTINCT t.relname), '[]')
    FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid WHERE f.conrelid = c.oid AND f.contype = 'f'))
  FROM pg_class c WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p', 'v', 'c')
    AND NOT c.relispartition
  ORDER BY c.relname`;

const routines = `SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = quote_ident(current_schema())::regnamespace ORDER BY 1`;
