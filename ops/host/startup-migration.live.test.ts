import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, post, type ProblemAnswer, send } from '../../endpoints/testing/http-client.js';
import { withFolder } from '../../runtime/testing/temporary-folder.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withDatabase } from '../../runtime/testing/database.js';
import { until } from '../../runtime/testing/until.js';
import { type SpawnedCli, startCli, svc } from '../testing/spawned-host.js';

const test = suite('migration of a host');

const files = {
  '1-loaves.sql': 'CREATE TABLE loaves (id int)',
  '2-long.sql': `CREATE TABLE rolls (id int);
DO $$ BEGIN
  WHILE NOT EXISTS (SELECT 1 FROM go) LOOP PERFORM pg_sleep(0.02); END LOOP;
END $$`,
  '3-buns.sql': 'CREATE TABLE buns (id int)',
};

test('while it migrates, a host is alive and not ready and refuses commands; then it serves at the same address', () =>
  withMigrating(async ({ host, url, database, goOn }) => {
    const live = await send(url, { method: 'GET', path: '/health/live' });
    assert.is(live.status, 200);
    const ready = await send(url, { method: 'GET', path: '/health/ready' });
    assert.is(ready.status, 503);
    const { status, checks } = jsonOf(ready) as {
      status: string;
      checks: { name: string; detail: string }[];
    };
    assert.equal(
      [status, checks[0]?.name, checks[0]?.detail],
      ['Unhealthy', 'migrating', 'The host is migrating its database.'],
    );
    const refused = await post(url, {}, { path: '/loaves' });
    assert.equal([refused.status, refused.headers['retry-after']], [503, '5']);
    assert.is((jsonOf(refused) as ProblemAnswer).type, 'urn:svc:problem:migrating');
    assert.equal((await eventsIn(database)).at(-1), ['MigrationItemStarted', 'migrations/2-long.sql', null]);
    assert.equal(await ledgerIn(database), [['migrations/1-loaves.sql', '1']]);
    await until(() =>
      lines(host).some(({ msg, migration }) => isRunning(msg) && migration === 'migrations/2-long.sql'),
    );
    await goOn();
    await until(() => lines(host).some(({ msg }) => msg === 'listening'));
    assert.is(lines(host).find(({ msg }) => msg === 'listening')?.['url'], url, 'at the same address');
    await until(async () => (await fetch(`${url}/health/ready`)).status === 200);
    assert.is((await post(url, {}, { path: '/loaves' })).status, 404);
  }));

test('a host that is killed while it migrates leaves its progress, and the next one completes the batch', () =>
  withMigrating(async ({ host, database, goOn, startAgain }) => {
    await until(async () => (await eventsIn(database)).at(-1)?.[1] === 'migrations/2-long.sql');
    await host.kill('SIGKILL');
    const left = await eventsIn(database);
    assert.equal(
      [left[0], ...left.slice(-3)],
      [
        ['MigrationBatchStarted', null, null],
        ['MigrationItemStarted', 'migrations/1-loaves.sql', null],
        ['MigrationItemCompleted', 'migrations/1-loaves.sql', '1'],
        ['MigrationItemStarted', 'migrations/2-long.sql', null],
      ],
    );
    assert.equal(await ledgerIn(database), [['migrations/1-loaves.sql', '1']]);
    await goOn();
    const next = startAgain();
    await until(() => lines(next).some(({ msg }) => msg === 'listening'), 60_000);
    const [, ...after] = (await eventsIn(database)).slice(left.length - 1);
    assert.equal(after.slice(0, 3), [
      ['MigrationItemFailed', 'migrations/2-long.sql', '-1'],
      ['MigrationBatchCompleted', null, null],
      ['MigrationBatchStarted', null, null],
    ]);
    const results = await query(
      database,
      `SELECT r ->> 'migrationKey', r ->> 'status', r ->> 'statusDescription' FROM (SELECT data FROM svc_system_stream
          WHERE event_type = 'MigrationBatchCompleted' ORDER BY stream_position LIMIT 1) b,
        jsonb_array_elements(data -> 'results') r WHERE r ->> 'migrationKey' LIKE 'migrations/%'`,
    );
    assert.equal(results, [
      ['migrations/1-loaves.sql', '1', 'applied for the first time'],
      ['migrations/2-long.sql', '-1', 'the process ended before it was done'],
      ['migrations/3-buns.sql', '-1', 'not run: the process ended'],
    ]);
    assert.equal(await ledgerIn(database), [
      ['migrations/1-loaves.sql', '3'],
      ['migrations/2-long.sql', '1'],
      ['migrations/3-buns.sql', '1'],
    ]);
    assert.equal(await query(database, 'SELECT count(*) FROM svc_migration_batches'), [['0']]);
  }));

test('a host whose port is in use fails on one line before it migrates', () =>
  withDatabase(async (database) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const ended = await svc(['start', 'examples/orders'], { DATABASE_URL: database, SVC_PORT: `${port}` });
      assert.is(ended.code, 1);
      assert.is(
        ended.stderr,
        `svc: Port ${port} of 127.0.0.1 is in use by another process; stop it, or set SVC_PORT (0: any free port).\n`,
      );
      assert.not.match(ended.stdout, 'EADDRINUSE');
      assert.equal(await query(database, "SELECT to_regclass('svc_schema_migrations')"), [[null]]);
    } finally {
      other.close();
    }
  }));

interface Migrating {
  readonly host: SpawnedCli;
  /** The address that answers meanwhile. */
  readonly url: string;
  readonly database: string;
  goOn(): Promise<unknown>;
  startAgain(): SpawnedCli;
}

/** A host in the middle of a migration that takes as long as needed. */
const withMigrating = (body: (migrating: Migrating) => Promise<void>): Promise<void> =>
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

const isRunning = (msg: unknown): boolean => msg === 'a migration is running';

const lines = ({ output }: SpawnedCli): Record<string, unknown>[] =>
  output.stdout
    .join('')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Type, item and status of the migration events, in order; empty before there is a store. */
const eventsIn = (url: string) =>
  query(
    url,
    `SELECT event_type, data ->> 'migrationKey', data ->> 'status' FROM svc_system_stream ORDER BY stream_position`,
  ).catch(() => []);

const ledgerIn = (url: string) =>
  query(
    url,
    "SELECT migration_key, status FROM svc_schema_migrations WHERE migration_key LIKE 'migrations/%' ORDER BY 1",
  );
