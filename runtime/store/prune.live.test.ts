import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { plansOf, scansOf } from '../testing/plans-of.js';
import { prune } from './prune.js';

const test = suite('pruning');

const ended = (count: number, days: number): string =>
  `INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, started_at, updated_at)
    SELECT 'fulfilment', '${days} ' || n, 1, 1, 'done', 'ended', '{}', '[]', now(), now() - interval '${days} days' FROM generate_series(1, ${count}) n`;
const held = (count: number, hours: number): string =>
  `INSERT INTO svc_reservations SELECT gen_random_uuid(), 'email', 'ada', now(), now() + interval '${hours} hours' FROM generate_series(1, ${count})`;
const left = 'SELECT (SELECT count(*) FROM svc_processes), (SELECT count(*) FROM svc_reservations)';

test('processes and holds are removed 100 at a time, as commits wait meanwhile', () =>
  withMigratedDatabase(async ({ connect }) => {
    const [owner, database] = [connect({ owner: true }), connect()];
    await owner.rows({ text: ended(250, 8) });
    await owner.rows({ text: held(150, -1) });
    const some = async () => (await database.rows({ text: 'SELECT svc_prune_lists()' }))[0]?.[0];
    const removed: (string | null | undefined)[] = [];
    do removed.push(await some());
    while (removed.at(-1) !== '0');
    assert.equal(removed, ['100', '100', '50', '100', '50', '0']);
    assert.equal(await owner.rows({ text: left }), [['0', '0']]);
  }));

test('pruning that is stopped ends with the chunk that it is at', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await owner.rows({ text: ended(250, 8) });
    const stopping = new AbortController();
    const rows: typeof owner.rows = async (statement) => {
      if (statement.text.includes('svc_prune_lists')) stopping.abort();
      return owner.rows(statement);
    };
    await prune({ rows }, stopping.signal);
    assert.equal(await owner.rows({ text: left }), [['150', '0']]);
  }));

test('where nothing has expired, pruning does not wait for the lock of the log', () =>
  withMigratedDatabase(async ({ connect }) => {
    const [owner, database] = [connect({ owner: true }), connect()];
    await owner.rows({ text: ended(10, 6) });
    await owner.rows({ text: held(10, 1) });
    const session = await owner.session();
    try {
      await session.rows({ text: 'BEGIN; SELECT svc_lock_log()' });
      await prune(database);
    } finally {
      await session.rows({ text: 'ROLLBACK' });
      session.release();
    }
    assert.equal(await owner.rows({ text: left }), [['10', '10']]);
  }));

test('what has expired is found by its time, however much has not', () =>
  withMigratedDatabase(async ({ url, connect }) => {
    const owner = connect({ owner: true });
    for (const text of [ended(5_000, 6), ended(1, 8), held(5_000, 1), held(1, -1)])
      await owner.rows({ text });
    await owner.rows({ text: 'VACUUM ANALYZE svc_processes, svc_reservations' });
    for (const [table, time] of [
      ['svc_processes', 'ended_at'],
      ['svc_reservations', 'until'],
    ] as const) {
      const scans = scansOf(await plansOf(url, 'SELECT svc_prune_lists()'), table);
      assert.ok(scans.length > 0);
      for (const scan of scans.filter((plan) => !/^(Tid|Bitmap Heap)/.test(plan['Node Type'])))
        assert.match(scan['Index Cond'] ?? '', new RegExp(String.raw`^\(${time} < `), JSON.stringify(scan));
    }
  }));

test('pruning removes old flushes and expired outcomes, and nothing else', () =>
  withMigratedDatabase(async (database) => {
    const store = database.openStore();
    const outcome = { key: Buffer.of(1), fingerprint: Buffer.of(1), status: 200, body: '{}' };
    for (const key of [1, 2])
      await store.commit({
        events: [],
        records: [],
        expected: new Map(),
        outcome: { ...outcome, key: Buffer.of(key) },
      });
    const owner = database.connect({ owner: true });
    await owner.rows({ text: "UPDATE svc_flushes SET at = at - interval '61 minutes' WHERE flush = 1" });
    await owner.rows({
      text: "UPDATE svc_idempotency SET expires_at = now() - interval '1 second' WHERE key = '\\x01'",
    });
    await database.connect().rows({ text: 'SELECT svc_prune()' });
    assert.equal(await owner.rows({ text: 'SELECT flush FROM svc_flushes' }), [['2']]);
    assert.equal(await owner.rows({ text: 'SELECT key FROM svc_idempotency' }), [['\\x02']]);
  }));

test('pruning removes a part at a time, as a commit may wait for what is being removed', () =>
  withMigratedDatabase(async (database) => {
    const [owner, runtime] = [database.connect({ owner: true }), database.connect()];
    await owner.rows({
      text: `INSERT INTO svc_idempotency SELECT int4send(n), int4send(n), 200, repeat('x', 1000), now() - interval '1 second'
        FROM generate_series(1, 2500) n`,
    });
    const outcomes = async () =>
      Number((await owner.rows({ text: 'SELECT count(*) FROM svc_idempotency' }))[0]?.[0]);
    assert.equal(await runtime.rows({ text: 'SELECT svc_prune()' }), [['128']]);
    const some = await outcomes();
    assert.ok(some > 0 && some < 2500, String(some));
    await prune(runtime);
    assert.is(await outcomes(), 0);
  }));
