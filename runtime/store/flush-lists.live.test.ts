import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { HeldCursor, SetTimer, UnitLists } from '../../contracts/unit-lists.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../audit/verify-chain.js';
import { postgresReactionStore } from '../reactions/postgres-reaction-store.js';
import { readReservationSecret } from '../reservations/reservation-key.js';
import { collect } from '../kit/collect.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import { useSegmentsOf } from '../testing/small-segments.js';
import { until } from '../kit/until.js';
import { encodeUnit } from './encode-unit.js';
import { commitCall, flushParameters } from './flush-call.js';
import { prune } from './prune.js';

const test = suite('flushes with lists');

test('a repeated flush gets the stored answer and has no second effect', () =>
  withMigratedDatabase(async (database) => {
    const cursor = await hold(database);
    const writer = newUuid();
    const units = [audited({ handled: [mark(cursor, 1)] }), audited({ handled: [mark(cursor, 1)] })];
    const values = parametersOf(writer, 1, units);
    const send = () => database.connect().rows({ text: commitCall, values });
    const first = await send();
    assert.equal(first[0]?.slice(0, 2), ['{1,5}', '{1,NULL}']);
    assert.equal(await send(), first);
    assert.is((await collect(database.openStore().readAll({ after: 0 }))).length, 2);
  }));

test('units that are sent alone after a data error carry their own marks', () =>
  withMigratedDatabase(async (database) => {
    const cursor = await hold(database);
    const bad = { key: Buffer.of(1), fingerprint: Buffer.of(2), status: 200, body: '\u0000' };
    const answers = await codesOf(database.openStore(), [
      audited({ handled: [mark(cursor, 1)] }),
      { ...audited({ handled: [mark(cursor, 2)] }), outcome: bad },
      audited({ handled: [mark(cursor, 3)] }),
    ]);
    assert.equal(answers, ['stored', 'unexpected', 'stored']);
    const reactions = postgresReactionStore(database.connect());
    assert.equal((await reactions.takeCursor(cursor.name, 'head')).done, [1, 3]);
  }));

test('units with lists and without form one log and one chain', () =>
  withMigratedDatabase(async (database) => {
    const cursor = await hold(database);
    const units = Array.from({ length: 12 }, (_, n) =>
      audited(n % 3 === 0 ? {} : { handled: [mark(cursor, n % 4)], timers: [timer()] }),
    );
    const store = database.openStore();
    const together = await codesOf(store, units.slice(0, 9));
    const alone = [];
    for (const unit of units.slice(9)) alone.push(...(await codesOf(store, [unit])));
    const [stored, no] = ['stored', 'overtaken'];
    assert.equal(
      [...together, ...alone],
      [stored, stored, stored, stored, no, no, stored, stored, no, stored, no, no],
    );
    const positions = (await collect(store.readAll({ after: 0 }))).map((event) => event.globalPosition);
    assert.equal(
      positions,
      Array.from({ length: 14 }, (_, n) => n + 1),
    );
    assert.is((await verifyChain(database.connect({ owner: true }))).ok, true);
  }));

test('units with lists are stored over the borders of segments', () =>
  withMigratedDatabase(async (database) => {
    await useSegmentsOf(database.url, 5);
    const cursor = await hold(database);
    const units = Array.from({ length: 20 }, (_, n) => audited({ handled: [mark(cursor, n + 1)] }));
    const store = database.openStore();
    assert.equal(new Set(await codesOf(store, units)), new Set(['stored']));
    assert.is((await collect(store.readAll({ after: 0 }))).length, 40);
    assert.is((await verifyChain(database.connect({ owner: true }))).ok, true);
    const later = await postgresReactionStore(database.connect()).takeCursor('later', 'head');
    assert.is(later.position, 40);
  }));

test('hosts write lists through the procedures alone, and read the secret through its function', () =>
  withMigratedDatabase(async (database) => {
    const host = database.connect();
    const tables = ['svc_progress', 'svc_stuck_work', 'svc_timers', 'svc_processes', 'svc_reservations'];
    for (const table of tables) {
      const refusal = await host.rows({ text: `DELETE FROM ${table}` }).catch(String);
      assert.match(String(refusal), `permission denied for table ${table}`);
      await host.rows({ text: `SELECT * FROM ${table}` });
    }
    const secret = await host.rows({ text: 'SELECT * FROM svc_reservation_secret' }).catch(String);
    assert.match(String(secret), 'permission denied');
    assert.is((await readReservationSecret(host)).length, 32);
    assert.equal(await readReservationSecret(host), await readReservationSecret(database.connect()));
    const [row] = await database.connect({ owner: true }).rows({
      text: `SELECT has_function_privilege('public', 'svc_reservation_key()', 'EXECUTE')`,
    });
    assert.equal(row, ['f']);
  }));

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
        ...{ name: 'lists', text: commitCall },
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

test('two hosts whose connections are killed handle every event once, and only with its mark', () =>
  withMigratedDatabase(async (database) => {
    const cursor = await hold(database);
    const owner = database.connect({ owner: true });
    const hosts = [database.openStore('north'), database.openStore('south')];
    const stream = newUuid();
    const handle = async (store: UnitStore, position: Long): Promise<string> => {
      const [code = ''] = await codesOf(store, [
        { ...audited({ handled: [mark(cursor, position)] }, stream), records: [] },
      ]);
      return code;
    };
    const positions = Array.from({ length: 200 }, (_, n) => n + 1);
    const over = new AbortController();
    const killing = (async () => {
      while (!over.signal.aborted) {
        await owner.rows({ text: killText });
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    })();
    const answers = await Promise.all(
      hosts.map(async (store) => {
        const codes: string[] = [];
        for (let from = 0; from < positions.length; from += 10)
          codes.push(
            ...(await Promise.all(
              positions.slice(from, from + 10).map((position) => handle(store, position)),
            )),
          );
        return codes;
      }),
    );
    over.abort();
    await killing;
    const [north = [], south = []] = answers;
    // Whom a host could not reach, it may have reached all the same: then the other one is refused.
    const known = positions.filter((_, n) => north[n] === 'stored' || south[n] === 'stored').length;
    const twice = positions.filter((_, n) => north[n] === 'stored' && south[n] === 'stored').length;
    const stored = (await collect(database.openStore().read(stream))).length;
    const reactions = postgresReactionStore(database.connect());
    assert.is(twice, 0);
    assert.ok(stored >= known && known > 100, `${known} of ${stored} are known`);
    assert.is((await reactions.takeCursor(cursor.name, 'head')).done.length, stored);
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

async function hold(database: MigratedDatabase): Promise<HeldCursor> {
  const reactions = postgresReactionStore(database.connect());
  const { epoch } = await reactions.takeCursor('line', 'beginning');
  return { name: 'line', epoch, settledTo: () => 0 };
}

const mark = (cursor: HeldCursor, position: Long) => ({ cursor, position, key: `key-${position}` });

const timer = (): SetTimer => ({
  ...{ id: newUuid(), kind: 'command', name: 'reminder', key: 'order', again: 'keep' },
  ...{ due: { inMs: 1000 }, data: {}, context: {} },
});

/** An event and its audit, with lists. */
function audited(lists: Partial<UnitLists>, streamId = newUuid()): Unit {
  const message = (messageType: string) =>
    ({ messageId: newUuid(), messageType, payload: {}, timestamp: '2026-01-01T00:00:00Z', v: 1 }) as const;
  const event = { streamId, envelope: message('Happened') };
  return {
    events: [event],
    records: [{ envelope: message('Recorded'), of: event, publish: false }],
    expected: new Map(),
    lists: { ...empty, ...lists },
  };
}

const empty: UnitLists = { handled: [], aside: [], timers: [], ended: [], reservations: [], processes: [] };

const everything = (cursor: HeldCursor, n: number): UnitLists => ({
  handled: [mark(cursor, n)],
  aside: [
    {
      ...{ cursor, key: `aside-${n}`, from: 0, next: n, state: 'retrying' },
      ...{ attempts: 0, retryInMs: 0, error: null },
    },
  ],
  timers: [timer()],
  ended: [{ id: newUuid() }],
  reservations: [{ key: newUuid(), name: 'email', owner: 'ada', take: n % 2 === 0 }],
  processes: [
    {
      ...{ name: 'fulfilment', key: `o-${n}`, revision: 0, version: 1, state: 'new', status: 'running' },
      ...{ snapshot: {}, trail: [] },
    },
  ],
});

function parametersOf(writer: string, flush: number, units: readonly Unit[]) {
  const encoded = units.map((unit) => encodeUnit(unit, Date.now()));
  return flushParameters(writer, flush, 'test', encoded);
}

const codesOf = (store: UnitStore, units: readonly Unit[]): Promise<string[]> =>
  Promise.all(
    units.map((unit) =>
      store.commit(unit).then(
        () => 'stored',
        (error: unknown) => (error instanceof Problem ? error.code : String(error)),
      ),
    ),
  );

const killText = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name IN ('north', 'south') AND random() < 0.3`;

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
