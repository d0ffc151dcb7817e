import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { indexRecords } from '../../runtime/segments/index-records.js';
import { type MigratedDatabase, withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { newestRecords } from './newest-records.js';
import type { SystemStreamFilter } from './record-query.js';
import { findInIndex, indexedFilter } from './search-index.js';

const test = suite('search index');

const traceOf = (n: number): string => n.toString(16).padStart(32, '0');

/** Records at every second position: of 20 users, of two tenants, three with one correlation id, one type in 3,000 rare. */
async function withRecords(
  count: number,
  body: (database: Database, connect: MigratedDatabase['connect']) => Promise<void>,
): Promise<void> {
  await withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await owner.rows({
      text: `INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, publish, digest, hash, host, recorded_at)
        SELECT n, 2 * n, gen_random_uuid(), CASE WHEN n % 3000 = 0 THEN 'FlagChanged' ELSE (ARRAY['CommandAudited', 'EventAudited'])[n % 2 + 1] END,
          '{}', json_build_object('correlationId', lpad(to_hex(n / 3), 32, '0'), 'scope', json_build_object('userId', 'User-' || n % 20, 'tenantId',
            CASE WHEN n % 2 = 0 THEN 'north' END)), false, '', '', 'h', clock_timestamp() FROM generate_series(1, $1::int) n`,
      values: [count],
    });
    await body(connect(), connect);
  });
}

const positions = async (database: Database, filter: SystemStreamFilter, to: number, limit = 30) => {
  const range = { from: 1, to, limit };
  const { rows } = await newestRecords(database, '1', { ...filter, isPartial: true }, range);
  return rows.map(([position]) => Number(position));
};

const part = (...values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const filters = fc.record({
  user: part('User-7', 'user-1', 'nobody', 'User'),
  type: part('FlagChanged', 'flag', 'CommandAudited', 'Unknown'),
  tenant: part('NORTH', 'south'),
  host: part('h'),
  correlation: part(traceOf(7), traceOf(3_000).toUpperCase(), traceOf(9_999), '0b'),
  status: part('failed', 'succeeded') as fc.Arbitrary<'failed' | 'succeeded' | undefined>,
});

test('with the index a search finds what it finds without it, newest first', () =>
  withRecords(10_000, async (database, connect) => {
    const searches = fc.sample(fc.tuple(filters, fc.integer({ min: 1, max: 10_000 })), 60);
    const without: number[][] = [];
    for (const [filter, to] of searches) without.push(await positions(database, filter, to));
    // However many hosts index at once.
    await Promise.all([database, connect(), connect()].map((host) => indexRecords(host)));
    await indexRecords(database);
    for (const [index, [filter, to]] of searches.entries())
      assert.equal(await positions(database, filter, to), without[index], JSON.stringify([filter, to]));
  }));

test('a search that ends within the index continues where it ended', () =>
  withRecords(9_000, async (database) => {
    await indexRecords(database);
    const found: number[] = [];
    for (let to = 9_000; to > 0;) {
      const { rows, next } = await newestRecords(
        database,
        '1',
        { user: 'User-7' },
        { from: 1, to, limit: 100, maxQueries: 1 },
      );
      found.push(...rows.map(([position]) => Number(position)));
      to = next;
    }
    const expected = Array.from({ length: 450 }, (_, n) => 8_987 - 20 * n);
    assert.equal(found, expected);
  }));

test('a term without hits and a correlation id read no record of the index', () =>
  withRecords(9_000, async (database) => {
    await indexRecords(database);
    for (const filter of [{ user: 'nobody' }, { type: 'Unknown' }, { correlation: traceOf(99_999) }]) {
      const index = await indexedFilter(database, filter);
      assert.ok(index !== undefined && index.upTo > 8_900, String(index?.upTo));
      const { rows, next } = await findInIndex(database, '1', filter, index, {
        from: 1,
        to: index.upTo,
        newest: 9,
      });
      assert.equal([rows, next], [[], 0]);
    }
  }));

test('a search that has found enough reads no older block', () =>
  withRecords(9_000, async (database, connect) => {
    await indexRecords(database);
    const filter = { type: 'CommandAudited', isPartial: true };
    const index = await indexedFilter(database, filter);
    assert.ok(index !== undefined);
    const owner = connect({ owner: true });
    const plans: string[] = [];
    const watched: Database = {
      ...database,
      rows: async (statement) => {
        const explained = { ...statement, text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}` };
        plans.push(String(await owner.rows(explained)));
        return database.rows(statement);
      },
    };
    const range = { from: 1, to: index.upTo, newest: 50 };
    const { rows } = await findInIndex(watched, 'event_type', filter, index, range);
    assert.is(rows.length, 50);
    // A block has eight of them.
    const loops = [...(plans[1] ?? '').matchAll(/"Actual Loops": (\d+)/g)].map(([, count]) => Number(count));
    assert.ok(loops.length > 0 && Math.max(...loops) < 20, `${Math.max(...loops)} of 50 blocks`);
  }));

test('a part of a correlation id, and a part of very many values, are searched by reading', () =>
  withRecords(3_000, async (database) => {
    await indexRecords(database);
    assert.is(await indexedFilter(database, { correlation: '0b' }), undefined);
    assert.is(await indexedFilter(database, { status: 'failed' }), undefined);
    assert.is(await indexedFilter(database, { user: 'x'.repeat(201) }), undefined);
  }));

test('a value of any length is indexed', () =>
  withMigratedDatabase(async ({ connect }) => {
    const long = 'x'.repeat(10_000);
    await connect({ owner: true }).rows({
      text: `INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, publish, digest, hash, host, recorded_at)
        SELECT n, n, gen_random_uuid(), 'CommandAudited', '{}', json_build_object('correlationId', $1::text, 'scope', json_build_object('userId', $1::text)),
          false, '', '', 'h', clock_timestamp() FROM generate_series(1, 1100) n`,
      values: [long],
    });
    await indexRecords(connect());
    assert.equal(await positions(connect(), { user: 'xxx' }, 1_000, 2), [1_000, 999]);
    assert.equal(await positions(connect(), { user: long }, 1_000, 2), [1_000, 999]);
  }));

test('the role of the runtime cannot change the index', () =>
  withMigratedDatabase(async ({ connect }) => {
    for (const text of [
      'DELETE FROM svc_search_blocks',
      'INSERT INTO svc_search_blocks VALUES (1, 1)',
      'DELETE FROM svc_search_values',
      'UPDATE svc_segments SET indexed = 0',
    ])
      assert.match(
        await connect()
          .rows({ text })
          .then(() => 'done', String),
        /permission denied/,
        text,
      );
  }));
