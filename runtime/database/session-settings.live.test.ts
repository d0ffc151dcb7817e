import { createServer, connect as dial, type Socket } from 'node:net';
import { Pool } from 'pg';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { connect } from './connect.js';
import { type Database, openDatabase, overPool } from './database.js';

const test = suite('session settings');

const isLinux = process.platform === 'linux';

const durable = `SELECT current_setting('synchronous_commit'), current_setting('default_transaction_isolation'),
  current_setting('client_min_messages')`;

test('a session commits durably, at read committed, and receives warnings, whatever its database sets', () =>
  withDatabase(async (url) => {
    await prefer(url, 'synchronous_commit = off');
    await prefer(url, "default_transaction_isolation = 'serializable'");
    await prefer(url, 'client_min_messages = error');
    await lent(openDatabase({ url }), async (database) => {
      assert.equal(await database.rows({ text: durable }), [['on', 'read committed', 'warning']]);
    });
    await lent(overPool(new Pool({ connectionString: url })), async (database) => {
      assert.equal(await database.rows({ text: durable }), [['on', 'read committed', 'warning']]);
    });
  }));

test('a session of a host that declares sync says so to the commit procedure, others do not', () =>
  withDatabase(async (url) => {
    const text = "SELECT current_setting('svc.durability', true)";
    for (const [durability, said] of [
      ['sync', 'sync'],
      ['async', null],
      ['local', null],
    ] as const)
      await lent(openDatabase({ url, durability }), async (database) => {
        assert.equal(await database.rows({ text }), [[said]]);
      });
  }));

test('the server notices within seconds that a host has vanished', () =>
  withDatabase((url) =>
    lent(openDatabase({ url }), async (database) => {
      // As the socket reports them, not as they were requested.
      const text = `SELECT current_setting('tcp_keepalives_idle'), current_setting('tcp_keepalives_interval'),
        current_setting('tcp_keepalives_count'), current_setting('tcp_user_timeout')`;
      assert.equal(await database.rows({ text }), [['5', '2', '3', isLinux ? '10000' : '0']]);
    }),
  ));

test('a proxy that drops startup options is rejected, and the dropped options are named', () =>
  withDatabase((url) =>
    withForgetfulProxy(url, async (proxied) => {
      await lent(openDatabase({ url: proxied, role: 'pg_monitor' }), async (database) => {
        const problem = await database.rows({ text: 'SELECT 1' }).catch((error: unknown) => error);
        assert.instance(problem, Problem);
        assert.is((problem as Problem).code, 'invalid-setup');
        assert.match(
          (problem as Problem).detail ?? '',
          /^A proxy in front of PostgreSQL drops .*\(role, .*statement_timeout.*\); connect to the server itself/,
        );
        assert.is(await database.session().catch((error: Problem) => error.code), 'invalid-setup');
      });
    }),
  ));

test('a database that is not encoded as UTF8 is rejected with a line that names the remedy', () =>
  withDatabase(async (url) => {
    const name = `latin_${new URL(url).pathname.slice(1)}`;
    await run(url, `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    const latin = new URL(url);
    latin.pathname = `/${name}`;
    try {
      await lent(openDatabase({ url: latin.href }), async (database) => {
        const problem = await database.rows({ text: 'SELECT 1' }).catch((error: unknown) => error);
        assert.is((problem as Problem).code, 'invalid-setup');
        assert.match((problem as Problem).detail ?? '', /LATIN1.*ENCODING 'UTF8'/);
      });
    } finally {
      await run(url, `DROP DATABASE ${name} WITH (FORCE)`);
    }
  }));

async function lent(database: Database, body: (database: Database) => Promise<void>): Promise<void> {
  try {
    await body(database);
  } finally {
    await database.close();
  }
}

const prefer = (url: string, setting: string): Promise<void> =>
  run(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`);

async function run(url: string, sql: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Forwards everything but the startup options, like a pooler that is configured to ignore them. */
async function withForgetfulProxy(url: string, body: (proxied: string) => Promise<void>): Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = dial(Number(port), hostname);
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.once('data', (startup) => {
      upstream.write(withoutOptions(startup));
      client.pipe(upstream);
    });
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  try {
    await body(proxied.href);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Length and version, then names and values, each ended by a zero, and one zero more. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8, -1).toString('latin1').split('\0').slice(0, -1);
  const pairs = words.flatMap((word, n) => (n % 2 === 0 && word !== 'options' ? [word, words[n + 1]] : []));
  const body = Buffer.from([...pairs, ''].map((word) => `${word}\0`).join(''), 'latin1');
  const message = Buffer.concat([startup.subarray(0, 8), body]);
  message.writeInt32BE(message.length, 0);
  return message;
}
