import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../../runtime/database/connect.js';
import { execute, withName } from '../../runtime/testing/database.js';
import { withPgBouncer } from '../../runtime/testing/pgbouncer.js';
import { withPostgres } from '../../runtime/testing/postgres-release.js';
import { startTemporary } from '../../runtime/testing/postgres-server.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { readConfig } from '../config.js';
import { errorText } from '../error-text.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { startHost } from './host.js';

const test = suite('servers that are refused');

/** What `svc start` would print. */
async function refusalOf(env: Readonly<Record<string, string>>): Promise<string> {
  try {
    const host = await startHost(ordersAlone, readConfig({ SVC_PORT: '0', SVC_LOG: 'silent', ...env }));
    await host.stop();
    return 'started';
  } catch (error) {
    return errorText(error, env);
  }
}

test('a server below 15 is refused on one line, before anything is created', () =>
  withPostgres('14', async (url) => {
    const env = { DATABASE_URL: url };
    const line = /^svc: The server is PostgreSQL 14\.\d+, which is too old; use PostgreSQL 15 or newer\.\n$/;
    assert.match(await refusalOf(env), line);
    for (const args of [['migrate'], ['migrate', '--dry-run'], ['audit', 'verify']]) {
      const { code, stderr } = await svcInProcess(args, env);
      assert.is(code, 1);
      assert.match(stderr, line, args.join(' '));
    }
    const pre = await svcInProcess(['check', 'pre', exampleHere('orders')], env);
    assert.is(pre.code, 1);
    assert.match(pre.stdout + pre.stderr, 'which is too old; use PostgreSQL 15 or newer');
    assert.equal(await rowsOf(url, "SELECT 1 FROM pg_class WHERE relname LIKE 'svc%'"), []);
    assert.equal(await rowsOf(url, "SELECT 1 FROM pg_roles WHERE rolname = 'svc_runtime'"), []);
  }));

test('a server that takes no more clients is quoted, with what to do', async () => {
  const settings = { max_connections: '4', superuser_reserved_connections: '0', max_wal_senders: '0' };
  const server = await startTemporary(undefined, { settings });
  const clients = [];
  try {
    for (let n = 0; n < 4; n++) clients.push(await connect(server.url));
    assert.match(
      await refusalOf({ DATABASE_URL: server.url }),
      /^svc: PostgreSQL reports: sorry, too many clients already; end connections [^\n]+ max_connections\.\n$/,
    );
  } finally {
    for (const client of clients) await client.end();
    await server.stop();
  }
});

test('a login whose owner may not create the runtime role is refused, with the statements of a superuser', () =>
  withPostgres(undefined, async (server) => {
    await execute(server, 'DROP ROLE IF EXISTS svc_runtime');
    for (const role of ['plain_owner', 'plain_login'])
      await execute(server, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    await execute(server, 'CREATE DATABASE shop OWNER plain_owner');
    const as = (user: string): string => {
      const url = new URL(withName(server, 'shop'));
      [url.username, url.password] = [user, 'secret'];
      return url.href;
    };
    const env = { DATABASE_URL: as('plain_login'), DATABASE_OWNER_URL: as('plain_owner') };
    const refusal = await refusalOf(env);
    assert.match(
      refusal,
      /^svc: "plain_login" reaches the store through the role svc_runtime, which the owner plain_owner may not create or grant\. [^\n]+\n$/,
    );
    assert.is((await svcInProcess(['migrate'], env)).stderr, refusal);
    await execute(server, 'CREATE ROLE svc_runtime NOLOGIN');
    assert.is(await refusalOf(env), refusal, 'it may not grant it either');
    await execute(server, 'GRANT svc_runtime TO "plain_login"');
    assert.is(await refusalOf(env), 'started');
  }));

test('PgBouncer in session mode is refused, whether it refuses or drops our startup options', () =>
  withPostgres(undefined, async (server) => {
    for (const settings of ['', 'ignore_startup_parameters = options'])
      await withPgBouncer(server, settings, async (url) =>
        assert.match(
          await refusalOf({ DATABASE_URL: url }),
          /^svc: A (?:pooling )?proxy in front of PostgreSQL (?:refuses|drops) [^\n]+ such as HAProxy \(no version of PgBouncer does\)\.\n$/,
        ),
      );
  }));
