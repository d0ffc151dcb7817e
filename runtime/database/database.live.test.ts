import { Pool } from 'pg';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { connect } from './connect.js';
import { type Database, type DatabaseOptions, openDatabase, overPool } from './database.js';

const test = suite('database');

test('rows are text, or null', () =>
  withOpen({}, async (database) => {
    const [row] = await database.rows({
      text: "SELECT 1::bigint, true, null, '{1,2}'::int[], $1::json",
      values: ['{"a":1}'],
    });
    assert.equal(row, ['1', 't', null, '{1,2}', '{"a":1}']);
  }));

test('times are in UTC and in ISO order, whatever the server and the URL set', () =>
  withOpen({ options: '-c TimeZone=Asia/Kathmandu -c DateStyle=German' }, async (database) => {
    const [row] = await database.rows({ text: "SELECT '2026-01-02 03:04:05.006+01'::timestamptz" });
    assert.equal(row, ['2026-01-02 02:04:05.006+00']);
  }));

test('the options of the URL are kept along with ours', () =>
  withOpen({ options: '-c work_mem=7MB', role: 'pg_read_all_data' }, async (database) => {
    const text = "SELECT current_setting('work_mem'), current_user, current_setting('TimeZone')";
    assert.equal(await database.rows({ text }), [['7MB', 'pg_read_all_data', 'UTC']]);
  }));

test('every connection assumes the role', () =>
  withOpen({ role: 'pg_monitor' }, async (database) => {
    const users = await Promise.all([1, 2, 3].map(() => database.rows({ text: 'SELECT current_user' })));
    assert.equal(
      users.map(([row]) => row?.[0]),
      ['pg_monitor', 'pg_monitor', 'pg_monitor'],
    );
  }));

test('connections have an application name and a statement timeout', () =>
  withOpen({ applicationName: 'orders-1', statementTimeoutMs: 1_000 }, async (database) => {
    assert.equal(await database.rows({ text: "SELECT current_setting('application_name')" }), [['orders-1']]);
    const error = await database.rows({ text: 'SELECT pg_sleep(5)' }).catch(errorOf);
    assert.is((error as Problem).code, 'store-unavailable');
    assert.match(String((error as Problem).cause), 'statement timeout');
  }));

test('a prepared statement is prepared once per connection', () =>
  withOpen({ connections: 1 }, async (database) => {
    const statement = { name: 'twice', text: 'SELECT $1::int * 2', values: [21] };
    assert.equal(await database.rows(statement), [['42']]);
    assert.equal(await database.rows({ ...statement, values: [4] }), [['8']]);
    assert.equal(await database.rows({ text: 'SELECT name FROM pg_prepared_statements' }), [['twice']]);
  }));

test('losing idle connections is reported and does not end the process', () =>
  withOpen({ applicationName: 'idle' }, async (database, url, reported) => {
    await Promise.all([1, 2, 3].map(() => database.rows({ text: 'SELECT 1' })));
    await kill('idle', url);
    await until(() => reported.length === 3);
    assert.equal(await database.rows({ text: 'SELECT 1' }), [['1']]);
  }));

test('losing a held session is reported, ends it, and it can still be released', () =>
  withOpen({ applicationName: 'held', connections: 1 }, async (database, url, reported) => {
    const session = await database.session();
    await session.rows({ text: 'SELECT 1' });
    await kill('held', url);
    await session.ended;
    assert.ok(reported.length > 0);
    assert.instance(await session.rows({ text: 'SELECT 1' }).catch(errorOf), Error);
    session.release(true);
    assert.equal(await database.rows({ text: 'SELECT 1' }), [['1']]);
  }));

test('a statement that loses its connection fails with "store-unavailable"', () =>
  withOpen({ applicationName: 'suicide' }, async (database) => {
    assert.is(
      codeOf(await database.rows({ text: 'SELECT pg_terminate_backend(pg_backend_pid())' }).catch(errorOf)),
      'store-unavailable',
    );
  }));

test('an invalid statement fails with the error of the server', () =>
  withOpen({}, async (database) => {
    assert.match(
      String(await database.rows({ text: 'SELECT * FROM nothing' }).catch(errorOf)),
      'does not exist',
    );
  }));

test('a server that cannot be reached is reported as "store-unavailable"', async () => {
  const database = openDatabase({ url: 'postgres://postgres@127.0.0.1:1/postgres' });
  assert.is(codeOf(await database.rows({ text: 'SELECT 1' }).catch(errorOf)), 'store-unavailable');
  assert.is(codeOf(await database.session().catch(errorOf)), 'store-unavailable');
  await database.close();
});

test('a session receives the notifications of its channels', () =>
  withOpen({}, async (database) => {
    const session = await database.session();
    const reported = new Promise<string>((resolve) => {
      session.onNotification(resolve);
    });
    await session.rows({ text: 'LISTEN svc' });
    await database.rows({ text: 'NOTIFY svc' });
    assert.is(await reported, 'svc');
    session.release(true);
  }));

test('a released session leaves no listener behind', () =>
  withDatabase(async (url) => {
    const pool = new Pool({ connectionString: url, max: 1 });
    const listeners: number[] = [];
    pool.on('acquire', (client) => {
      listeners.push(...['error', 'end', 'notification'].map((name) => client.listenerCount(name)));
    });
    const database = overPool(pool);
    for (let n = 0; n < 3; n++) {
      const session = await database.session();
      session.onNotification(() => undefined);
      session.release();
    }
    assert.equal(listeners.slice(6), listeners.slice(0, 3));
    await database.close();
  }));

test('a pool of the service works as well as ours', () =>
  withDatabase(async (url) => {
    const database = overPool(new Pool({ connectionString: url }));
    assert.equal(await database.rows({ text: "SELECT 1::int, '2026-01-01'::date" }), [['1', '2026-01-01']]);
    const session = await database.session();
    assert.equal(await session.rows({ text: 'SELECT true' }), [['t']]);
    session.release();
    await database.close();
  }));

test('a connection that the server ends before its first use does no harm', () =>
  withDatabase(async (url) => {
    const pool = new Pool({ connectionString: url });
    const database = overPool(pool);
    await new Promise<void>((resolve, reject) => {
      pool.connect((error, client, release) => {
        try {
          if (error) throw error;
          client?.emit('error', new Problem('unexpected', { detail: 'terminated' }));
          resolve();
        } catch (thrown) {
          reject(thrown instanceof Error ? thrown : new Problem('unexpected', { cause: thrown }));
        } finally {
          release(true);
        }
      });
    });
    assert.equal(await database.rows({ text: 'SELECT 1' }), [['1']]);
    await database.close();
  }));

type Setup = Omit<DatabaseOptions, 'url' | 'onError'> & { readonly options?: string };

function withOpen(
  { options, ...setup }: Setup,
  body: (database: Database, url: string, reported: readonly Error[]) => Promise<void>,
): Promise<void> {
  return withDatabase(async (plain) => {
    const url = new URL(plain);
    if (options !== undefined) url.searchParams.set('options', options);
    const reported: Error[] = [];
    const database = openDatabase({ ...setup, url: url.href, onError: (error) => reported.push(error) });
    try {
      await body(database, plain, reported);
    } finally {
      await database.close();
    }
  });
}

async function kill(applicationName: string, url: string): Promise<void> {
  const client = await connect(url);
  const text = 'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = $1';
  const { rowCount } = await client.query(text, [applicationName]);
  await client.end();
  assert.ok((rowCount ?? 0) > 0);
}

/** Lets the event loop turn until the condition holds; the runner ends a test that waits too long. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

const errorOf = (error: unknown): unknown => error;

const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : String(error));
