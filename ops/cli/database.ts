import { Problem } from '../../contracts/problems.js';
import { type Database, type DatabaseOptions, openDatabase } from '../../runtime/database/database.js';
import { ownerAt } from '../../runtime/database/schema-owner.js';
import { toAssume } from '../../runtime/migrations/runtime-role.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { runtimeRole } from '../../runtime/schema/runtime-role.js';
import { storeBroadcasts } from '../../runtime/store/store-broadcast.js';
import type { Config } from '../config/config.js';
import { hasStoreFolder, withStoreUrls } from '../config/store-urls.js';

/**
 * Opens the existing store of a command with connections of the runtime role; creates and migrates nothing. The settings
 * that `body` gets are those of the store where its hosts declare them.
 */
export const withDatabaseOf = <T>(
  config: Config,
  body: (database: Database, settings: Config) => Promise<T>,
): Promise<T> => withConnectionOf(config, ({ database }, settings) => body(database, settings));

const readOnly = { isReadOnly: true, statementTimeoutMs: 5_000 };

/** The same for questions that must have no effect, and end soon. */
export async function withReadOnlyDatabaseOf<T>(
  config: Config,
  body: (database: Database) => Promise<T>,
): Promise<T> {
  if (!(await hasStoreFolder(config))) throw noStoreIn(config.dataDir);
  return withStoreUrls(config, async ({ runtime }) => useAndClose(await openAt(runtime, readOnly), body));
}

/** Also opens the owner's connection, for changes of tables. */
export async function withConnectionOf<T>(
  config: Config,
  body: (connection: StoreConnection, settings: Config) => Promise<T>,
): Promise<T> {
  if (!(await hasStoreFolder(config))) throw noStoreIn(config.dataDir);
  return withStoreUrls(config, ({ runtime, owner }) =>
    withConnectionAt(runtime, owner, async (connection) =>
      body(connection, await settingsIn(connection.database, config)),
    ),
  );
}

async function withConnectionAt<T>(
  url: string,
  ownerUrl: string,
  body: (connection: StoreConnection) => Promise<T>,
): Promise<T> {
  return useAndClose(await openAt(url), (database) => body({ database, ...ownerAt(ownerUrl) }));
}

async function openAt(url: string, more: Partial<DatabaseOptions> = {}): Promise<Database> {
  const options: DatabaseOptions = { url, applicationName: 'svc-cli', ...more };
  const role = await useAndClose(openDatabase({ ...options, connections: 1 }), roleIn);
  return openDatabase({ ...options, ...(role === undefined ? {} : { role }) });
}

/** What a command records is published if its store broadcasts, whatever the shell says. */
export const settingsIn = async (database: Pick<Database, 'rows'>, config: Config): Promise<Config> => ({
  ...config,
  broadcast: (await storeBroadcasts(database)) ?? config.broadcast,
});

/** The role that a host would use here. */
async function roleIn(database: Database): Promise<string | undefined> {
  const [row] = await database.rows({
    text: `SELECT to_regclass('svc_store') IS NOT NULL,
      (SELECT pg_has_role(oid, ${toAssume}) FROM pg_roles WHERE rolname = $1)`,
    values: [runtimeRole],
  });
  if (row?.[0] !== 't') throw noStoreIn('this database');
  return row[1] === 't' ? runtimeRole : undefined;
}

async function useAndClose<T>(database: Database, body: (database: Database) => Promise<T>): Promise<T> {
  try {
    return await body(database);
  } finally {
    await database.close();
  }
}

const noStoreIn = (where: string): Problem =>
  new Problem('invalid-setup', {
    detail: `There is no store in ${where}; start a host first or run svc migrate, or set DATABASE_URL or SVC_DATA_DIR.`,
  });
