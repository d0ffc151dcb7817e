import { Problem } from '../../contracts/problems.js';
import { connect } from '../database/connect.js';
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
  await mustHaveTime(source);
  await mustBeAlone(ends);
  await mustBeEmpty(ends);
}

/** Once a table without one is replicated, the server refuses to change its rows. */
export async function mustHaveIdentities({ database }: MoveEnd): Promise<void> {
  const unnamed = (await database.rows({ text: withoutIdentity })).map(([name]) => name);
  if (unnamed.length > 0)
    throw refused(
      `Without a primary key that is not deferrable, changes of ${unnamed.join(', ')} cannot be replicated: add one, or run ALTER TABLE … REPLICA IDENTITY FULL.`,
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

/** The server that copies a table is a client like any other: what ends a long statement of its role ends the copy. */
async function mustHaveTime({ url, address }: MoveEnd): Promise<void> {
  const client = await connect(url);
  try {
    const text = `SELECT current_setting('statement_timeout') AS "limit"`;
    const { rows } = await client.query<{ readonly limit: string }>(text);
    const limit = rows[0]?.limit ?? '0';
    if (limit !== '0')
      throw refused(
        `Statements of this role end after ${limit} at ${address}, and so would the copy of a large table: run ALTER ROLE … SET statement_timeout = 0 there.`,
      );
  } finally {
    await client.end();
  }
}

/** Publications and subscriptions have names in a database, which may have a store in each of its schemas. */
async function mustBeAlone({ source, target }: MoveEnds): Promise<void> {
  const text = "SELECT current_schema(), EXISTS (SELECT 1 FROM pg_publication WHERE pubname = 'svc_move')";
  const [[here, isPublished] = []] = await source.database.rows({ text });
  const [[there] = []] = await target.database.rows({ text });
  if (here !== there)
    throw refused(
      `The store is in the schema ${here ?? ''}, and the default schema at ${target.address} is ${there ?? 'missing'}: make them the same.`,
    );
  if (isPublished === 't')
    throw refused(
      `${source.address} has a publication svc_move: end the move of the other store there first, or drop the publication if a backup brought it.`,
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

/** A key that is deferrable identifies no row while a transaction runs. */
const withoutIdentity = `SELECT t.name FROM svc_copied_tables() t JOIN pg_class c ON c.oid = to_regclass(quote_ident(t.name))
  WHERE c.relreplident <> 'f' AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indimmediate
    AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident END)
  ORDER BY 1 LIMIT 10`;

const refused = (detail: string): Problem => new Problem('invalid-setup', { detail });
