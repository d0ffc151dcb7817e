import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { type Database, openDatabase } from '../database/database.js';
import { withDatabase } from '../kit/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { migrate } from './migrate.js';
import { query } from './testing/migrations.js';

const test = suite('privileges of the runtime role');

test('the runtime role reads and calls the commit', () =>
  withMigratedDatabase(async (database) => {
    assert.equal((await database.openStore().append(newUuid(), event())).positions, [1]);
    const runtime = database.connect();
    assert.equal(await runtime.rows({ text: 'SELECT current_user' }), [['svc_runtime']]);
    for (const readable of [
      ...tables,
      'svc_store',
      'svc_event_stream',
      'svc_system_stream',
      'svc_schema_migrations',
      'svc_outbox_pending',
      'svc_dead_letters',
    ])
      await runtime.rows({ text: `SELECT * FROM ${readable}` });
    await runtime.rows({ text: 'SELECT svc_prune()' });
  }));

test('the runtime role cannot change anything directly', () =>
  withMigratedDatabase(async (database) => {
    const runtime = database.connect();
    for (const table of tables) {
      for (const statement of [
        `INSERT INTO ${table} SELECT * FROM ${table}`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
        `UPDATE ${table} SET ${columnOf[table]} = ${columnOf[table]}`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `DROP TABLE ${table}`,
      ])
        assert.is(await stateOf(runtime, statement), '42501', statement);
    }
    assert.is(await stateOf(runtime, 'CREATE TABLE mine ()'), '42501');
    assert.is(await stateOf(runtime, "UPDATE svc_schema_migrations SET hash = ''"), '42501');
  }));

test('even the owner cannot change or remove stored rows', () =>
  withMigratedDatabase(async (database) => {
    const events = [{ streamId: newUuid(), envelope: event() }];
    const records = [{ envelope: event(), publish: false }];
    await database.openStore().commit({ events, records, expected: new Map() });
    const owner = database.connect({ owner: true });
    for (const table of ['svc_events', 'svc_system_events']) {
      for (const statement of [`UPDATE ${table} SET host = 'x'`, `DELETE FROM ${table}`, `TRUNCATE ${table}`])
        assert.is(await stateOf(owner, statement), '42501', statement);
      assert.equal(await owner.rows({ text: `SELECT count(*) FROM ${table}` }), [['1']]);
    }
  }));

test('no other role may call what runs with the rights of the owner', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    const open = await owner.rows({
      text: `SELECT proname FROM pg_proc WHERE (prosecdef OR prokind = 'p') AND proname LIKE 'svc%'
        AND has_function_privilege('public', oid, 'EXECUTE') ORDER BY 1`,
    });
    assert.equal(open, []);
  }));

test('a user with an unusual name may assume the role', () =>
  withDatabase(async (url) => {
    const user = `test-User-${newUuid()}`;
    await query(url, `CREATE ROLE "${user}" LOGIN PASSWORD 'awkward'`);
    try {
      const { role = '' } = await migrate({ ownerUrl: url, runtimeUser: user });
      await withOpen(openDatabase({ url: withUser(url, user), role }), async (database) => {
        assert.equal(await database.rows({ text: 'SELECT session_user, current_user' }), [
          [user, 'svc_runtime'],
        ]);
      });
    } finally {
      await query(url, `DROP ROLE "${user}"`);
    }
  }));

test('without a runtime user the owner assumes the role', () =>
  withDatabase(async (url) => {
    assert.is((await migrate({ ownerUrl: url, runtimeUser: '' })).role, 'svc_runtime');
  }));

const columnOf = {
  svc_events: 'host',
  svc_system_events: 'host',
  svc_idempotency: 'body',
  svc_flushes: 'at',
  svc_progress: 'position',
  svc_stuck_work: 'state',
} as const;

const tables = Object.keys(columnOf) as (keyof typeof columnOf)[];

const event = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

async function withOpen(database: Database, body: (database: Database) => Promise<void>): Promise<void> {
  try {
    await body(database);
  } finally {
    await database.close();
  }
}

const stateOf = (database: Database, text: string): Promise<unknown> =>
  database.rows({ text }).then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );

function withUser(text: string, user: string): string {
  const url = new URL(text);
  url.username = user;
  url.password = 'awkward';
  return url.href;
}
