import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from './connect.js';
import { startEmbeddedServer } from './embedded-server.js';
import { removeHome } from './embedded/server-home.js';
import { withFolder } from '../kit/temporary-folder.js';
import { settings, withCluster, putCluster, whileRunning, query } from '../testing/embedded-servers.js';
import { until } from '../kit/until.js';

const test = suite('embedded server');

test('a new data folder gets a database, and the next start finds what was written', () =>
  withFolder(async (dataDir) => {
    await whileRunning({ dataDir }, ({ url }) => query(url, "CREATE TABLE notes AS SELECT 'kept' AS note"));
    await whileRunning({ dataDir }, async ({ url }) => {
      assert.equal(await query(url, 'SELECT note FROM notes'), [{ note: 'kept' }]);
    });
  }));

test('without settings every acknowledged commit is on disk', () =>
  withCluster((dataDir) =>
    whileRunning({ dataDir }, async ({ url }) => {
      assert.equal(await query(url, 'SHOW fsync'), [{ fsync: 'on' }]);
      assert.equal(await query(url, 'SHOW synchronous_commit'), [{ synchronous_commit: 'on' }]);
      assert.equal(await query(url, 'SHOW listen_addresses'), [{ listen_addresses: '127.0.0.1' }]);
      assert.equal(await query(url, "SELECT lower('ÄÉ') AS letters"), [{ letters: 'äé' }]);
    }),
  ));

test('the runtime has its own role, also in a cluster that was created without it', () =>
  withCluster(async (dataDir) => {
    const rights = `SELECT rolsuper OR rolcreaterole OR rolcreatedb AS mighty, pg_has_role('svc', 'MEMBER') AS owner
      FROM pg_roles WHERE rolname = session_user`;
    await whileRunning({ dataDir, settings }, async ({ url, runtimeUrl }) => {
      assert.equal(await query(runtimeUrl, rights), [{ mighty: false, owner: false }]);
      await query(url, 'CREATE ROLE svc_runtime NOLOGIN; DROP ROLE svc_login');
    });
    await whileRunning({ dataDir, settings }, async ({ runtimeUrl }) => {
      assert.equal(await query(runtimeUrl, rights), [{ mighty: false, owner: false }]);
      assert.equal(await query(runtimeUrl, "SELECT pg_has_role('svc_runtime', 'MEMBER') AS may"), [
        { may: true },
      ]);
    });
  }));

test('settings reach the server', () =>
  withCluster((dataDir) =>
    whileRunning({ dataDir, settings: { ...settings, 'svc.motto': "it's here" } }, async ({ url }) => {
      assert.equal(await query(url, "SELECT current_setting('svc.motto') AS motto"), [
        { motto: "it's here" },
      ]);
    }),
  ));

test('connecting requires the password', () =>
  withCluster((dataDir) =>
    whileRunning({ dataDir, settings }, async ({ url }) => {
      const problem = await connect(url.replace(/:[^:]*@/, ':guess@')).catch((error: unknown) => error);
      assert.instance(problem, Problem);
    }),
  ));

test('stopping twice is stopping once, and a stopped server can be started again', () =>
  withCluster(async (dataDir) => {
    const server = await startEmbeddedServer({ dataDir, settings });
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    await whileRunning({ dataDir, settings }, async (again) => assert.is(again.adopted, false));
  }));

test('a server that was stopped from outside is started again on its port', () =>
  withCluster((dataDir) =>
    whileRunning({ dataDir, settings, keepsRunning: true }, async ({ url }) => {
      const [shown] = (await query(url, 'SHOW data_directory')) as { readonly data_directory: string }[];
      const file = join(shown?.data_directory ?? '', 'postmaster.pid');
      const [pid] = (await readFile(file, 'utf8')).split('\n', 1);
      process.kill(Number(pid), 'SIGINT');
      await until(async () => {
        const again = await readFile(file, 'utf8').catch(() => '');
        return again !== '' && !again.startsWith(`${pid}\n`);
      });
      await until(async () => (await query(url, 'SELECT 1 AS one').catch(() => [])).length === 1);
    }),
  ));

test('a setting that PostgreSQL refuses is reported in its words, and does not affect later starts', () =>
  withFolder(async (dataDir) => {
    const refused = startEmbeddedServer({ dataDir, settings: { ...settings, max_connections: 'many' } });
    const problem = await refused.catch((error: unknown) => error);
    assert.instance(problem, Problem);
    assert.match((problem as Problem).message, 'max_connections');
    await whileRunning({ dataDir, settings }, async ({ adopted }) => assert.is(adopted, false));
  }));

test('a data folder that cannot be created is a problem that names the remedy', async () => {
  const problem = await startEmbeddedServer({ dataDir: '/dev/null/.svc' }).catch((error: unknown) => error);
  assert.instance(problem, Problem);
  assert.match((problem as Problem).message, 'DATABASE_URL');
});

test('a removed data folder starts again with an empty database', () =>
  withFolder(async (folder) => {
    const dataDir = join(folder, 'a "data" folder of $HOME');
    await putCluster(dataDir);
    await whileRunning({ dataDir, settings }, ({ url }) => query(url, 'CREATE TABLE notes ()'));
    await rm(dataDir, { recursive: true });
    await whileRunning({ dataDir, settings }, async ({ url }) => {
      assert.equal(await query(url, "SELECT to_regclass('notes') AS notes"), [{ notes: null }]);
    });
  }));

if (process.getuid?.() === 0) {
  test('under root a data folder that only root can enter keeps its data like any other', () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, 'private'), { mode: 0o700 });
      const dataDir = join(folder, 'private', '.svc');
      try {
        await putCluster(dataDir);
        await whileRunning({ dataDir, settings }, ({ url }) => query(url, 'CREATE TABLE notes ()'));
        await whileRunning({ dataDir, settings }, async ({ url }) => {
          assert.equal(await query(url, "SELECT to_regclass('notes')::text AS notes"), [{ notes: 'notes' }]);
        });
      } finally {
        await removeHome(dataDir);
      }
    }));
}
