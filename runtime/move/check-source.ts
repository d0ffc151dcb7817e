import { Problem } from '../../contracts/problems.js';
import { isAppliedOnce, schemaItem } from '../migrations/migration-item.js';
import { schemaOf } from '../schema/items.js';
import { runtimeRole } from '../schema/runtime-role.js';
import type { MoveEnd, MoveEnds } from './move-ends.js';
import { mustBeEmpty } from './prepare-target.js';

/** Everything that would stop a move later, before anything is changed. */
export async function mustBeMovable(ends: MoveEnds): Promise<void> {
  const { source, target } = ends;
  await mustHaveLogicalWal(source);
  await mustBeOfThisVersion(source);
  const [here, there] = await Promise.all([serverOf(source), serverOf(target)]);
  if (here === there)
    throw refused(
      `${target.address} is on the server of the store; logical replication needs another server.`,
    );
  await mustHaveIdentities(source);
  await mustSeeAllRows(source);
  await mustBeEmpty(ends);
}

/** Once a table without one is replicated, the server refuses to change its rows. */
export async function mustHaveIdentities({ database }: MoveEnd): Promise<void> {
  const unnamed = (await database.rows({ text: withoutIdentity })).map(([name]) => name);
  if (unnamed.length > 0)
    throw refused(
      `Without a primary key, changes of ${unnamed.join(', ')} cannot be replicated: add one, or run ALTER TABLE … REPLICA IDENTITY FULL.`,
    );
}

/** A copy would silently lack the others. */
async function mustSeeAllRows({ database }: MoveEnd): Promise<void> {
  const [[hidden] = []] = await database.rows({
    text: `SELECT string_agg(name, ', ') FROM svc_copied_tables() WHERE row_security_active(to_regclass(quote_ident(name)))`,
  });
  if (typeof hidden === 'string')
    throw refused(
      `Row-level security hides rows of ${hidden} from this role: give it the attribute BYPASSRLS.`,
    );
}

async function mustHaveLogicalWal({ database, address }: MoveEnd): Promise<void> {
  const [[level, free] = []] = await database.rows({
    text: `SELECT current_setting('wal_level'), current_setting('max_replication_slots')::int - (SELECT count(*) FROM pg_replication_slots)`,
  });
  if (level !== 'logical')
    throw refused(
      `${address} has wal_level=${level ?? ''}: run ALTER SYSTEM SET wal_level = 'logical' there, and restart the server.`,
    );
  if (Number(free) < 4)
    throw refused(`${address} has no replication slots left: raise max_replication_slots and restart it.`);
}

async function mustBeOfThisVersion({ database }: MoveEnd): Promise<void> {
  const rows = await database.rows({ text: 'SELECT migration_key, hash FROM svc_schema_migrations' });
  const applied = new Map(rows.map(([key, hash]) => [key, hash]));
  const items = schemaOf(runtimeRole).files.map(schemaItem).filter(isAppliedOnce);
  if (items.every(({ key, hash }) => applied.get(key) === hash)) return;
  throw refused(
    'The store has the schema of another version of svc-runtime: move it with that version, or run svc migrate.',
  );
}

/** A copy of a server has its system identifier, too, but has not started at the same microsecond. */
async function serverOf({ database }: MoveEnd): Promise<string> {
  const text = "SELECT concat_ws(' ', current_setting('port'), pg_postmaster_start_time())";
  const [[server] = []] = await database.rows({ text });
  return server ?? '';
}

const withoutIdentity = `SELECT t.name FROM svc_copied_tables() t JOIN pg_class c ON c.oid = to_regclass(quote_ident(t.name))
  WHERE c.relreplident = 'n' OR c.relreplident = 'd' AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)
  ORDER BY 1 LIMIT 10`;

const refused = (detail: string): Problem => new Problem('invalid-setup', { detail });
