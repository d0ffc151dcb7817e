import * as assert from 'uvu/assert';
import type { Long } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Unit } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { until } from '../kit/until.js';
import { encodeUnit } from './encode-unit.js';
import { commitCall, flushParameters } from './flush-call.js';
import { prune } from './prune.js';
import { audited, codesOf, everything, hold } from '../testing/list-units.js';

const test = suite('rows of lists');

test('a cursor is taken under the lock of the log, and who stalls then does not hold it', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    const session = await owner.session();
    await session.rows({ text: 'BEGIN' });
    await session.rows({ text: 'SELECT svc_lock_log()' });
    const frozen = await database.connect().session();
    const taken = frozen.rows({ text: "SELECT * FROM svc_take_cursor('line', true)" });
    const waiting =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = svc_database_oid()";
    await until(async () => (await owner.rows({ text: waiting }))[0]?.[0] === '1');
    await session.rows({ text: 'COMMIT' });
    session.release();
    const [[epoch, ...progress] = []] = await taken;
    const codes = await codesOf(database.openStore(), [audited({})]);
    frozen.release();
    assert.ok(Number(epoch) > 0);
    assert.equal(progress, ['0', '{}']);
    assert.equal(codes, ['stored']);
  }));

test('a plan that was made for empty tables reads only what it needs of full ones', () =>
  withMigratedDatabase(async (database) => {
    const session = await database.connect().session();
    const owner = database.connect({ owner: true });
    const cursor = await hold(database);
    let flush = 0;
    const writer = newUuid();
    const send = async () => {
      const lists = everything(cursor, ++flush);
      await session.rows({
        name: 'lists',
        text: commitCall,
        values: parametersOf(writer, flush, [audited(lists), audited(everything(cursor, ++flush))]),
      });
    };
    try {
      await send();
      await owner.rows({ text: manyRows });
      await session.rows({ text: 'SELECT pg_stat_force_next_flush()' });
      await owner.rows({ text: 'SELECT pg_stat_reset()' });
      for (let n = 0; n < 5; n++) await send();
      await session.rows({ text: 'SELECT pg_stat_force_next_flush()' });
      const [[most] = []] = await owner.rows({
        text: `SELECT max(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) FROM pg_stat_user_tables
          WHERE relname IN ('svc_progress', 'svc_stuck_work', 'svc_timers', 'svc_processes', 'svc_reservations')`,
      });
      assert.ok(Number(most) > 0 && Number(most) < 200, `${most} rows of one table were read`);
    } finally {
      session.release();
    }
  }));

test('a key that is retried is stuck since its first failure, and moves on without a change to an index', () =>
  withMigratedDatabase(async (database) => {
    const session = await database.connect().session();
    const owner = database.connect({ owner: true });
    const cursor = await hold(database);
    const writer = newUuid();
    let flush = 0;
    const move = async (from: Long, next: Long, state: 'retrying' | 'parked', attempts: number) => {
      const step = { cursor, key: 'k', from, next, state, attempts, retryInMs: 1000, error: 'no' };
      const values = parametersOf(writer, ++flush, [audited({ aside: [step] })]);
      await session.rows({ text: commitCall, values });
      return (await owner.rows({ text: 'SELECT position, since FROM svc_stuck_work' }))[0]?.join(' ');
    };
    try {
      const first = await move(0, 1, 'retrying', 1);
      assert.is(await move(1, 1, 'retrying', 2), first);
      const second = await move(1, 2, 'retrying', 1);
      assert.match(second ?? '', /^2 /);
      assert.is.not(second?.slice(2), first?.slice(2));
      await session.rows({ text: 'SELECT pg_stat_force_next_flush()' });
      const text =
        "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'svc_stuck_work'";
      assert.equal(await owner.rows({ text }), [['2', '2']]);
      assert.is.not(await move(2, 2, 'parked', 2), second);
    } finally {
      session.release();
    }
  }));

test('a step of a process changes no index until it ends', () =>
  withMigratedDatabase(async (database) => {
    const session = await database.connect().session();
    const owner = database.connect({ owner: true });
    const writer = newUuid();
    const steps = ['running', 'running', 'running', 'ended'] as const;
    const updates = `SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'svc_processes'`;
    try {
      for (const [revision, status] of steps.entries()) {
        const step = { name: 'travel', key: 'k', revision, version: 1, state: 'flying', status };
        const values = parametersOf(writer, revision, [
          audited({ processes: [{ ...step, snapshot: {}, trail: [] }] }),
        ]);
        await session.rows({ text: commitCall, values });
      }
      await session.rows({ text: 'SELECT pg_stat_force_next_flush()' });
      assert.equal(await owner.rows({ text: updates }), [['3', '2']]);
      const ended = 'SELECT revision, ended_at = updated_at FROM svc_processes';
      assert.equal(await owner.rows({ text: ended }), [['4', 't']]);
    } finally {
      session.release();
    }
  }));

test('processes and holds that ended are removed, each in its time', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    await owner.rows({ text: endedRows });
    await prune(database.connect());
    const left = await owner.rows({
      text: 'SELECT key FROM svc_processes UNION ALL SELECT owner FROM svc_reservations ORDER BY 1',
    });
    assert.equal(left.flat(), ['ended-today', 'for-ever', 'held', 'running']);
  }));

function parametersOf(writer: string, flush: number, units: readonly Unit[]) {
  const encoded = units.map((unit) => encodeUnit(unit, Date.now()));
  return flushParameters(writer, flush, 'test', encoded);
}

const manyRows = `
  WITH t AS (INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
    SELECT gen_random_uuid(), n % 8, clock_timestamp(), 'command', 'reminder', n::text, clock_timestamp(), 0, false, '{}', '{}'
    FROM generate_series(1, 5000) n),
  a AS (INSERT INTO svc_stuck_work(follower, key, position, state, attempts) SELECT 'line', 'many-' || n, n, 'retrying', 0 FROM generate_series(1, 5000) n),
  g AS (INSERT INTO svc_progress(name, position) SELECT 'many-' || n, 0 FROM generate_series(1, 5000) n),
  r AS (INSERT INTO svc_reservations SELECT gen_random_uuid(), 'email', 'ada', clock_timestamp() FROM generate_series(1, 5000))
  INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, error, started_at, updated_at)
    SELECT 'fulfilment', 'many-' || n, 1, 1, 'new', 'running', '{}', '[]', NULL, clock_timestamp(), clock_timestamp()
    FROM generate_series(1, 5000) n`;

const endedRows = `
  WITH m AS (INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, error, started_at, updated_at)
    SELECT 'fulfilment', key, 1, 1, 'done', status, '{}', '[]', NULL, clock_timestamp(),
      clock_timestamp() - days * interval '1 day'
    FROM (VALUES ('running', 'running', 9), ('ended-today', 'ended', 0), ('ended-long-ago', 'ended', 8)) v(key, status, days))
  INSERT INTO svc_reservations SELECT gen_random_uuid(), 'email', owner, clock_timestamp(), clock_timestamp() + hours * interval '1 hour'
    FROM (VALUES ('held', 1), ('let-go', -1), ('for-ever', NULL)) v(owner, hours)`;
