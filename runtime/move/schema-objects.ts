import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { thrownMessage } from '../lang/thrown.js';
import type { MoveEnds } from './move-ends.js';

interface SchemaObject {
  readonly key: string;
  readonly statement: string;
}

/**
 * Makes what the target lacks of the schema of the store: read models, and what the migrations of the application have made.
 * Our own migration has made the rest there.
 */
export async function makeMissingObjects({ source, target }: MoveEnds): Promise<void> {
  const [wanted, there] = await Promise.all([objectsOf(source.database), objectsOf(target.database)]);
  const known = new Set(there.map(({ key }) => key));
  let waiting = wanted.filter(({ key }) => !known.has(key));
  // One may need another that comes later: those that failed are tried again while others succeed.
  while (waiting.length > 0) {
    const failed: { readonly object: SchemaObject; readonly error: unknown }[] = [];
    for (const object of waiting)
      await target.database
        .rows({ text: `SET check_function_bodies = off; ${object.statement}` })
        .catch((error: unknown) => failed.push({ object, error }));
    const [first] = failed;
    if (first !== undefined && failed.length === waiting.length)
      throw new Problem('invalid-setup', {
        detail: `${target.address} needs ${first.object.key}, which cannot be made there: ${thrownMessage(first.error)}. Make it, for example from pg_dump --schema-only, and run svc store move resume.`,
      });
    waiting = failed.map(({ object }) => object);
  }
}

/** A table whose columns differ would stop the copy. */
export async function mustHaveSameColumns({ source, target }: MoveEnds): Promise<void> {
  const [here, there] = await Promise.all([columnsOf(source.database), columnsOf(target.database)]);
  const [different] = [...here].find(([table, columns]) => there.get(table) !== columns) ?? [];
  if (different === undefined) return;
  throw new Problem('invalid-setup', {
    detail: there.has(different)
      ? `${target.address} has a table ${different} with other columns: drop it there, or move to an empty database.`
      : `${target.address} has no table ${different}: a partition is not made there; make it with its parent, for example from pg_dump --schema-only.`,
  });
}

async function columnsOf(database: Pick<Database, 'rows'>): Promise<Map<string, string>> {
  const rows = await database.rows({
    text: `SELECT t.name, string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attgenerated), ', ' ORDER BY a.attname)
      FROM svc_copied_tables() t JOIN pg_attribute a ON a.attrelid = to_regclass(quote_ident(t.name))
      WHERE a.attnum > 0 AND NOT a.attisdropped GROUP BY 1`,
  });
  return new Map(rows.map(([table, columns]) => [table ?? '', columns ?? '']));
}

async function objectsOf(database: Pick<Database, 'rows'>): Promise<readonly SchemaObject[]> {
  const rows = await database.rows({ text: objectsText });
  return rows.map(([key, statement]) => ({ key: key ?? '', statement: statement ?? '' }));
}

const sequenceOptions = 'INCREMENT %s MINVALUE %s MAXVALUE %s START %s CACHE %s%s';
const sequenceValues =
  "s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache, CASE WHEN s.seqcycle THEN ' CYCLE' END";

const columnDefinition = `concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
  (SELECT 'COLLATE ' || a.attcollation::regcollation FROM pg_type t WHERE t.oid = a.atttypid AND t.typcollation <> a.attcollation),
  CASE WHEN a.attgenerated <> '' THEN format('GENERATED ALWAYS AS (%s) %s', v.definition, CASE a.attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END)
    WHEN a.attidentity <> '' THEN (SELECT format('GENERATED %s AS IDENTITY (SEQUENCE NAME %s ${sequenceOptions})',
        CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, s.seqrelid::regclass, ${sequenceValues})
      FROM pg_depend d JOIN pg_sequence s ON s.seqrelid = d.objid
      WHERE d.classid = 'pg_class'::regclass AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum AND d.deptype = 'i')
    ELSE 'DEFAULT ' || v.definition END,
  CASE WHEN a.attnotnull THEN 'NOT NULL' END)`;

/** Every object of the schema but partitions, tables of rebuilds and what belongs to an extension, with the statement that makes it. */
const objectsText = `
WITH relation AS (
  SELECT c.*, c.oid::regclass AS name FROM pg_class c
  WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND NOT c.relispartition AND c.relname !~ '^svc_(new|old)_'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('e', 'i'))),
plain AS (SELECT * FROM relation WHERE relkind = 'r'),
routine AS (
  SELECT p.*, p.oid::regprocedure AS name FROM pg_proc p
  WHERE p.pronamespace = quote_ident(current_schema())::regnamespace AND p.prokind IN ('f', 'p') AND p.proname !~ '^svc_(new|old)_'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'))
SELECT key, statement FROM (
  SELECT 1 AS at, 'extension ' || extname AS key, format('CREATE EXTENSION %I SCHEMA %s', extname, extnamespace::regnamespace) AS statement
    FROM pg_extension WHERE extname <> 'plpgsql'
  UNION ALL
  SELECT 2, 'type ' || t.oid::regtype, format('CREATE TYPE %s AS ENUM (%s)', t.oid::regtype,
      (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid))
    FROM pg_type t WHERE t.typnamespace = quote_ident(current_schema())::regnamespace AND t.typtype = 'e'
  UNION ALL
  SELECT 3, 'sequence ' || r.name, format('CREATE SEQUENCE %s AS %s ${sequenceOptions}', r.name, format_type(s.seqtypid, NULL), ${sequenceValues})
    FROM relation r JOIN pg_sequence s ON s.seqrelid = r.oid
  UNION ALL
  SELECT 4, 'table ' || r.name, format('CREATE%s TABLE %s (%s)%s', CASE r.relpersistence WHEN 'u' THEN ' UNLOGGED' END, r.name,
      (SELECT string_agg(${columnDefinition}, ', ' ORDER BY a.attnum)
        FROM pg_attribute a LEFT JOIN (SELECT adrelid, adnum, pg_get_expr(adbin, adrelid) AS definition FROM pg_attrdef) v
          ON v.adrelid = a.attrelid AND v.adnum = a.attnum
        WHERE a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped),
      ' WITH (' || array_to_string(r.reloptions, ', ') || ')')
    FROM plain r
  UNION ALL
  SELECT 5, 'routine ' || p.name, pg_get_functiondef(p.oid) FROM routine p
  UNION ALL
  SELECT CASE n.contype WHEN 'f' THEN 7 ELSE 6 END, format('constraint %s of %s', n.conname, r.name),
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', r.name, n.conname, pg_get_constraintdef(n.oid))
    FROM plain r JOIN pg_constraint n ON n.conrelid = r.oid AND n.contype IN ('p', 'u', 'c', 'x', 'f')
  UNION ALL
  SELECT 8, 'index ' || i.indexrelid::regclass, pg_get_indexdef(i.indexrelid)
    FROM plain r JOIN pg_index i ON i.indrelid = r.oid
    WHERE NOT EXISTS (SELECT 1 FROM pg_constraint n WHERE n.conindid = i.indexrelid AND n.contype IN ('p', 'u', 'x'))
  UNION ALL
  SELECT 9, 'view ' || r.name, format('CREATE VIEW %s%s AS %s', r.name, ' WITH (' || array_to_string(r.reloptions, ', ') || ')', pg_get_viewdef(r.oid))
    FROM relation r WHERE r.relkind = 'v'
  UNION ALL
  SELECT 10, format('trigger %s of %s', t.tgname, r.name), pg_get_triggerdef(t.oid)
    FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT t.tgisinternal AND t.tgname <> 'svc_moved'
  UNION ALL
  SELECT 11, format('disabled trigger %s of %s', t.tgname, r.name), format('ALTER TABLE %s DISABLE TRIGGER %I', r.name, t.tgname)
    FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT t.tgisinternal AND t.tgenabled = 'D'
  UNION ALL
  SELECT 11, 'row security of ' || r.name, format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY%s', r.name,
      CASE WHEN r.relforcerowsecurity THEN ', FORCE ROW LEVEL SECURITY' END)
    FROM plain r WHERE r.relrowsecurity
  UNION ALL
  SELECT 12, format('policy %s of %s', p.policyname, p.tablename), format('CREATE POLICY %I ON %I AS %s FOR %s TO %s%s%s', p.policyname,
      p.tablename, p.permissive, p.cmd, (SELECT string_agg(CASE o WHEN 'public' THEN 'PUBLIC' ELSE quote_ident(o) END, ', ') FROM unnest(p.roles) o), ' USING (' || p.qual || ')', ' WITH CHECK (' || p.with_check || ')')
    FROM pg_policies p WHERE p.schemaname = current_schema() AND p.tablename !~ '^svc_(new|old)_'
  UNION ALL
  SELECT 13, format('the right of %s to %s %s', w.grantee, a.privilege_type, r.name), format('GRANT %s ON %s %s TO %s', a.privilege_type,
      CASE r.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, r.name, w.grantee)
    FROM relation r, aclexplode(r.relacl) a, LATERAL (SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee) w
    WHERE a.grantee <> r.relowner
  UNION ALL
  SELECT 13, format('the refusal of PUBLIC to execute %s', p.name), format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', p.name)
    FROM routine p WHERE p.proacl IS NOT NULL AND NOT EXISTS (SELECT 1 FROM aclexplode(p.proacl) a WHERE a.grantee = 0)
  UNION ALL
  SELECT 14, format('the right of %s to execute %s', a.grantee::regrole, p.name), format('GRANT EXECUTE ON ROUTINE %s TO %s', p.name, a.grantee::regrole)
    FROM routine p, aclexplode(p.proacl) a WHERE a.grantee NOT IN (0, p.proowner)
) o ORDER BY at, key`;
