import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../../runtime/database/connect.js';
import { withPostgres } from '../../runtime/testing/postgres-release.js';
import { startTemporary } from '../../runtime/kit/postgres-server.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { refusalOf } from '../testing/refused-start.js';

const test = suite('servers that are refused');

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
