import { type AddressInfo, createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, post, type ProblemAnswer, send } from '../../endpoints/testing/http-client.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { svc } from '../testing/spawned-host.js';
import { withMigrating, lines, eventsIn, ledgerIn } from '../testing/migrating-host.js';

const test = suite('migration of a host');

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

test('a host whose port is in use fails on one line before it migrates', () =>
  withDatabaseAndFolder(async (database, folder) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const env = { DATABASE_URL: database, SVC_PORT: `${port}`, SVC_DATA_DIR: folder };
      const ended = await svc(['start', 'examples/orders'], env);
      assert.is(ended.code, 1);
      assert.is(
        ended.stderr,
        `svc: Port ${port} of 127.0.0.1 is in use by another process; stop it, or set SVC_PORT (0: any free port).\n`,
      );
      assert.not.match(ended.stdout, /EADDRINUSE|svc_store/);
      assert.equal(await query(database, "SELECT to_regclass('svc_schema_migrations')"), [[null]]);
    } finally {
      other.close();
    }
  }));

const withDatabaseAndFolder = (body: (database: string, folder: string) => Promise<void>): Promise<void> =>
  withDatabase((database) => withFolder((folder) => body(database, folder)));

const isRunning = (msg: unknown): boolean => msg === 'a migration is running';
