import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { connect } from '../../runtime/database/connect.js';
import type { Database } from '../../runtime/database/database.js';
import { sqlStateOf } from '../../runtime/database/sql-error.js';
import { log } from '../../runtime/logging/log.js';
import { newSeed } from '../../runtime/trust/ed25519.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { readConfig } from '../config/config.js';
import { startHost } from './host.js';

const test = suite('database of a host');

const bakery: ServiceDefinition = { name: 'bakery', create: () => ({ endpoints: [], receptors: [] }) };

test('on the embedded server a connection that resets its role is not a superuser, and may do nothing', () =>
  withFolder(async (dataDir) => {
    let database: Database | undefined;
    const children = (ours: Database) => {
      database = ours;
      return [];
    };
    const host = await startHost(bakery, readConfig({ SVC_PORT: '0', SVC_DATA_DIR: dataDir }), undefined, {
      children,
    });
    try {
      const session = await database?.session();
      assert.ok(session);
      assert.equal(await session.rows({ text: 'SELECT current_user' }), [['svc_runtime']]);
      for (const back of ['SET ROLE NONE', 'RESET ROLE', 'RESET SESSION AUTHORIZATION; SET ROLE NONE']) {
        await session.rows({ text: back });
        const rights = `SELECT rolsuper, pg_has_role('svc', 'MEMBER') FROM pg_roles WHERE rolname = current_user`;
        assert.equal(await session.rows({ text: rights }), [['f', 'f']], back);
        for (const text of [
          "COPY (SELECT 1) TO PROGRAM 'true'",
          'ALTER TABLE svc_events DISABLE TRIGGER ALL',
          'CREATE TABLE mine ()',
        ])
          assert.is(await session.rows({ text }).then(() => '', sqlStateOf), '42501', text);
      }
      session.release(true);
    } finally {
      await host.stop();
    }
  }));

test('a login that owns the store causes one warning, with the SQL that fixes it; a separate login causes none unless it can become the owner', () =>
  withStore(async (url) => {
    const [warning, ...more] = await warningsOf({ DATABASE_URL: url });
    assert.equal(more, []);
    assert.match(warning?.msg ?? '', 'DATABASE_OWNER_URL');
    assert.equal(warning?.sql, [
      "CREATE ROLE svc_login LOGIN PASSWORD '…';",
      `GRANT CONNECT ON DATABASE "${new URL(url).pathname.slice(1)}" TO svc_login;`,
      'GRANT svc_runtime TO svc_login;',
    ]);
    const owner = await connect(url);
    const user = `svc_login_${newUuid().replaceAll('-', '')}`;
    const runtime = new URL(url);
    runtime.username = user;
    runtime.password = 'bread';
    const sql = (warned: string) => warned.replaceAll('svc_login', user).replace('…', 'bread');
    try {
      await owner.query(sql("CREATE ROLE svc_login LOGIN PASSWORD '…'; GRANT svc_runtime TO svc_login"));
      const env = { DATABASE_URL: runtime.href, DATABASE_OWNER_URL: url };
      assert.equal(await warningsOf(env), []);
      await owner.query(`DO $$ BEGIN EXECUTE format('GRANT %I TO ${user}', current_user); END $$`);
      const [another] = await warningsOf(env);
      assert.match(another?.msg ?? '', 'a role that can become the owner');
      assert.is(another?.sql?.length, 3);
    } finally {
      await owner.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
      await owner.end();
    }
  }));

test('where durability is declared, a server that may lose acknowledged commits is refused with one line', () =>
  withStore(async (url) => {
    const owner = await connect(url);
    const { rows } = await owner.query<{ fsync: string }>('SHOW fsync');
    await owner.end();
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: url, SVC_DURABILITY: 'local' });
    const started = await startHost(bakery, config).then(
      async (host) => {
        await host.stop();
        return 'started';
      },
      (problem: Problem) => problem.detail ?? '',
    );
    if (rows[0]?.fsync === 'on') assert.is(started, 'started');
    else
      assert.match(started, /^SVC_DURABILITY is local, but the server runs with fsync .*off: .*set to on\.$/);
  }));

test('a host with another signing key than its store does not start, and says what to do', () =>
  withStore(async (url) => {
    const startWith = (signingKey: string) =>
      startHost(bakery, readConfig({ SVC_PORT: '0', DATABASE_URL: url, SVC_SIGNING_KEY: signingKey })).then(
        async (host) => {
          await host.stop();
          return 'started';
        },
        (problem: Problem) => problem.detail ?? '',
      );
    const [first, second] = [newSeed().toString('base64'), newSeed().toString('base64')];
    assert.is(await startWith(first), 'started');
    assert.match(await startWith(second), /^SVC_SIGNING_KEY is not the key of this store: set it to the key/);
    assert.match(
      await startWith(''),
      /^The signing key of this store is not kept in it: set SVC_SIGNING_KEY/,
    );
    assert.is(await startWith(first), 'started');
  }));

interface Warning {
  readonly msg: string;
  readonly sql?: readonly string[];
}

/** What a host says about its login during its start. */
async function warningsOf(env: Readonly<Record<string, string>>): Promise<readonly Warning[]> {
  const warned: Warning[] = [];
  const before = log.warn;
  log.warn = (given: unknown, msg?: unknown) => void warned.push({ ...(given as object), msg: String(msg) });
  try {
    const host = await startHost(bakery, readConfig({ SVC_PORT: '0', ...env }));
    await host.stop();
  } finally {
    log.warn = before;
  }
  return warned.filter(({ msg }) => msg.includes('DATABASE_OWNER_URL'));
}
