import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { until } from '../../runtime/kit/until.js';
import { type SpawnedCli, startCli } from './spawned-host.js';

const files = {
  '1-loaves.sql': 'CREATE TABLE loaves (id int)',
  '2-long.sql': `CREATE TABLE rolls (id int);
DO $$ BEGIN
  WHILE NOT EXISTS (SELECT 1 FROM go) LOOP PERFORM pg_sleep(0.02); END LOOP;
END $$`,
  '3-buns.sql': 'CREATE TABLE buns (id int)',
};

interface Migrating {
  readonly host: SpawnedCli;
  /** The address that answers meanwhile. */
  readonly url: string;
  readonly database: string;
  goOn(): Promise<unknown>;
  startAgain(): SpawnedCli;
}

/** A host in the middle of a migration that takes as long as needed. */
export const withMigrating = (body: (migrating: Migrating) => Promise<void>): Promise<void> =>
  withFolder((app) =>
    withDatabase(async (database) => {
      await query(database, 'CREATE TABLE go (now int)');
      await mkdir(join(app, 'migrations'));
      await writeFile(join(app, 'package.json'), '{"main":"main.mjs"}');
      const main = "export default { name: 'bakery', create: () => ({ endpoints: [], receptors: [] }) };";
      await writeFile(join(app, 'main.mjs'), main);
      for (const [name, sql] of Object.entries(files)) await writeFile(join(app, 'migrations', name), sql);
      const started: SpawnedCli[] = [];
      const startAgain = () => {
        const host = startCli(['start', app], { DATABASE_URL: database });
        started.push(host);
        return host;
      };
      try {
        const host = startAgain();
        const address = () => lines(host).find(({ msg }) => msg === 'migrating')?.['url'];
        await until(() => address() !== undefined, 60_000);
        const goOn = () => query(database, 'INSERT INTO go VALUES (1)');
        await until(async () => (await eventsIn(database)).at(-1)?.[1] === 'migrations/2-long.sql');
        await body({ host, url: String(address()), database, goOn, startAgain });
      } finally {
        for (const host of started) await host.kill('SIGKILL');
      }
    }),
  );

export const lines = ({ output }: SpawnedCli): Record<string, unknown>[] =>
  output.stdout
    .join('')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Type, item and status of the migration events, in order; empty before there is a store. */
export const eventsIn = (url: string) =>
  query(
    url,
    `SELECT event_type, data ->> 'migrationKey', data ->> 'status' FROM svc_system_stream ORDER BY stream_position`,
  ).catch(() => []);

export const ledgerIn = (url: string) =>
  query(
    url,
    "SELECT migration_key, status FROM svc_schema_migrations WHERE migration_key LIKE 'migrations/%' ORDER BY 1",
  );
