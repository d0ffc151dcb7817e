import { openDatabase, type Database } from '../database/database.js';
import { migrate } from '../migrations/migrate.js';
import { runtimeRole } from '../schema/runtime-role.js';
import { openPostgresStore, type PostgresStore } from '../store/postgres-event-store.js';
import { execute, withCopyOf, withDatabase, withName } from '../kit/database.js';

/** A database with our schema, for any number of hosts. */
export interface MigratedDatabase {
  readonly url: string;
  /** Another pool, as another process would have it; closed afterwards. */
  readonly connect: (options?: { readonly applicationName?: string; readonly owner?: boolean }) => Database;
  /** A store on its own pool; closed afterwards. */
  readonly openStore: (host?: string) => PostgresStore;
}

/** Provides a new, empty database with our schema. */
export function withMigratedDatabase<T>(body: (database: MigratedDatabase) => Promise<T>): Promise<T> {
  return withSchema(async (url, role) => {
    const closes: (() => Promise<void>)[] = [];
    const connect: MigratedDatabase['connect'] = ({ applicationName = 'svc-test', owner = false } = {}) => {
      const database = openDatabase({
        url,
        applicationName,
        // Tests insert a lot at once as the owner, which takes long on a busy machine.
        ...(role === undefined || owner ? { statementTimeoutMs: 300_000 } : { role }),
      });
      closes.push(() => database.close());
      return database;
    };
    const openStore: MigratedDatabase['openStore'] = (host = 'test') => {
      const store = openPostgresStore(connect({ applicationName: host }), { host });
      closes.push(() => store.close());
      return store;
    };
    try {
      return await body({ url, connect, openStore });
    } finally {
      for (const close of closes.reverse()) await close();
    }
  });
}

/** The URL of such a database, for hosts that are started on it. */
export const withStore = <T>(body: (url: string) => Promise<T>): Promise<T> => withSchema((url) => body(url));

/** Creates the database that stores of a test server are copied from: a copy takes a fifth of the time of a migration. */
export async function makeTemplate(server: string): Promise<string> {
  const url = templateOn(server);
  await execute(server, 'CREATE DATABASE svc_template');
  await migrate({ ownerUrl: url });
  // A connection could change the template and with it every later copy.
  await execute(server, 'ALTER DATABASE svc_template IS_TEMPLATE true ALLOW_CONNECTIONS false');
  return url;
}

/** Where it is on such a server. */
export const templateOn = (server: string): string => withName(server, 'svc_template');

function withSchema<T>(body: (url: string, role: string | undefined) => Promise<T>): Promise<T> {
  const template = process.env['SVC_TEST_TEMPLATE_URL'];
  if (!template || !process.env['SVC_TEST_DATABASE_URL']) {
    return withDatabase(async (url) => body(url, (await migrate({ ownerUrl: url })).role));
  }
  return withCopyOf(template, async (url) => {
    await execute(url, newIdentity);
    return body(url, runtimeRole);
  });
}

/** Every store has its own id, by which other stores know it. */
const newIdentity = `WITH renewed AS (UPDATE svc_store SET id = gen_random_uuid(), database_oid = svc_database_oid() RETURNING id)
  UPDATE svc_origins SET store = renewed.id FROM renewed WHERE origin = 0`;
