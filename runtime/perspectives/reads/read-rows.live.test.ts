import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { ModelQuery } from '../../../contracts/model-query.js';
import type { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { Cancellation } from '../../lang/cancellation.js';
import { RequestContext } from '../../request/request-context.js';
import { firstPage } from '../../testing/first-page.js';
import { InMemoryEventStore } from '../../kit/in-memory-event-store.js';
import { type InMemoryRow, rowsInMemory } from '../../kit/in-memory-rows.js';
import { withMigratedDatabase } from '../../testing/migrated-database.js';
import {
  anyQuery,
  anyRow,
  columnOf,
  insert,
  rowsOf,
  Sales,
  sales,
  withSales,
} from '../../testing/sales-rows.js';
import { StagedUnit } from '../../unit/unit-of-work.js';
import { createPerspectiveTables } from '../tables/create-tables.js';
import { storedModels } from './model-reader.js';
import type { RowsQuery } from './read-models.js';

const test = suite('rows of a perspective');

const idsIn = (models: string): string[] => (JSON.parse(models) as { id: string }[]).map(({ id }) => id);

test('a page has the rows that the same query selects from a list, in the same order', () =>
  withSales(async (scene) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, { maxLength: 25 }),
        fc.array(anyQuery, { minLength: 1, maxLength: 6 }),
        async (list, queries) => {
          const rows = rowsOf(list);
          await insert(scene, rows);
          for (const query of queries) {
            const selected = rowsInMemory(rows, query).map(({ id }) => id);
            const { models, total, isExact, next } = await scene.models.page(sales, query);
            const end = query.offset + query.limit;
            assert.equal(idsIn(models), selected.slice(query.offset, end));
            assert.equal(
              [total, isExact, next !== undefined],
              [selected.length, true, selected.length > end],
            );
          }
          await scene.owner.rows({ text: `DELETE FROM ${sales.table}` });
        },
      ),
      { numRuns: 60 },
    );
  }));

test('cursors visit every row once, while others are inserted and deleted', () =>
  withSales(async (scene) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, { minLength: 1, maxLength: 20 }),
        fc.array(anyRow, { maxLength: 8 }),
        anyQuery,
        async (list, more, query) => {
          const [rows, added] = [rowsOf(list), rowsOf([...list, ...more]).slice(list.length)];
          await insert(scene, rows);
          const seen: string[] = [];
          for (let after: string | undefined, turn = 0; ; turn++) {
            const asked: RowsQuery = { ...query, offset: 0, ...(after === undefined ? {} : { after }) };
            const page = await scene.models.page(sales, { ...asked, withCursors: true });
            assert.is(page.start, seen.length);
            seen.push(...idsIn(page.models));
            if (page.next === undefined) break;
            assert.is(page.next, page.cursors?.at(-1));
            after = page.next;
            const inserted = added[turn];
            if (inserted !== undefined) await insert(scene, [inserted]);
            // The row of the cursor may be gone.
            await scene.owner.rows({
              text: `DELETE FROM ${sales.table} WHERE id = $1`,
              values: [seen.at(-1)],
            });
          }
          assert.is(new Set(seen).size, seen.length);
          const before = new Set(rows.map(({ id }) => id));
          assert.equal(
            seen.filter((id) => before.has(id)),
            rowsInMemory(rows, query).map(({ id }) => id),
          );
          await scene.owner.rows({ text: `DELETE FROM ${sales.table}` });
        },
      ),
      { numRuns: 40 },
    );
  }));

test('up to a thousand rows are counted, more are estimated unless the count is to be exact', () =>
  withSales(async ({ owner, models }) => {
    const add = (from: number, to: number) =>
      owner.rows({
        text: `INSERT INTO ${sales.table}(id, model, position, applied, updated_at, items)
          SELECT n, '{}', n, 1, now(), n % 2 FROM generate_series($1::int, $2) n`,
        values: [from, to],
      });
    const count = async (more: Partial<RowsQuery> = {}) => {
      const { total, isExact } = await models.page(sales, { ...firstPage, ...more });
      return [total, isExact];
    };
    await add(1, 1_000);
    assert.equal(await count(), [1_000, true]);
    await add(1_001, 5_000);
    await owner.rows({ text: `ANALYZE ${sales.table}` });
    const [estimated, isExact] = await count();
    assert.ok(!isExact && Number(estimated) > 2_500 && Number(estimated) < 10_000, String(estimated));
    assert.equal(await count({ count: 'exact' }), [5_000, true]);
    assert.equal(await count({ offset: 4_995 }), [5_000, true], 'the last page proves it');
    assert.equal(await count({ offset: 4_980, count: 'none' }), [4_991, false]);
    assert.equal(await count({ offset: 9_000, count: 'exact' }), [5_000, true]);
    const filters = [{ column: columnOf('items'), operator: 'eq' as const, values: ['7'] }];
    assert.equal(await count({ filters }), [0, true]);
  }));

const refusalOf = (read: Promise<unknown>): Promise<string> =>
  read.then(
    () => '',
    (error: Problem) => error.detail ?? '',
  );

test('a receptor reads rows of the tenant of its caller', () =>
  withSales(async (scene) => {
    const row = (id: string, tenant: string | null, total: string): InMemoryRow => ({
      id,
      tenant,
      position: 1,
      model: { id, total },
    });
    await insert(scene, [
      row('a', 'north', '5'),
      row('b', 'north', '7'),
      row('c', 'south', '9'),
      row('d', null, '1'),
    ]);
    const reader = storedModels([new Sales()], scene.models);
    const workFor = (tenantId?: string) =>
      new StagedUnit(
        new RequestContext({
          transport: 'local',
          cancellation: new Cancellation(),
          scope: { allowedPrincipals: [], extensions: {}, ...(tenantId === undefined ? {} : { tenantId }) },
        }),
        new InMemoryEventStore(),
        { models: reader },
      );
    const [north, nobody] = [workFor('north'), workFor()];
    assert.equal(await north.model(Sales, 'a'), { id: 'a', total: '5' });
    assert.is(await north.model(Sales, 'c'), undefined);
    assert.is(await nobody.model(Sales, 'a'), undefined);
    const ids = async (query: ModelQuery) => (await north.models(Sales, query)).map(({ id }) => id);
    assert.equal(await ids({ sort: ['-total'] }), ['b', 'a']);
    assert.equal(await ids({ filter: { total: { gt: 5, lte: '7' } } }), ['b']);
    assert.equal(await ids({ filter: { total: { in: [5, 9] } }, limit: 1 }), ['a']);
    for (const [query, fault] of [
      [{ filter: { secret: 1 } }, /sales has no column 'secret'/],
      [{ filter: { total: 'much' } }, /column 'total' must be a decimal number/],
      [{ filter: { total: { contains: '5' } } }, /column 'total' is not a text/],
      [{ limit: 1_001 }, /limit must be a whole number from 1 to 1000/],
    ] as const)
      assert.match(await refusalOf(north.models(Sales, query)), fault);
    north.close();
    assert.is(await north.model(Sales, 'a').catch((error: Problem) => error.code), 'unit-closed');
  }));

test('rows can be paged by times at both ends of the calendar, which are of other years in UTC', () =>
  withSales(async (scene) => {
    const times = ['0001-01-01T00:00:00+15:59', '2026-01-01T00:00:00Z', '9999-12-31T23:59:59-15:59'];
    const rows = rowsOf(times.map((at) => ({ model: { at }, tenant: null })));
    await insert(scene, rows);
    for (const descending of [false, true]) {
      const query = { ...firstPage, limit: 1, sort: [{ column: columnOf('at'), descending }] };
      const seen: string[] = [];
      for (let after: string | undefined, turn = 0; turn < times.length; turn++) {
        const page = await scene.models.page(sales, { ...query, ...(after === undefined ? {} : { after }) });
        seen.push(...idsIn(page.models));
        after = page.next;
      }
      const ids = rows.map(({ id }) => id);
      assert.equal(seen, descending ? ids.toReversed() : ids);
    }
  }));

test('a cursor that a caller made up is refused, and nothing of it becomes SQL', () =>
  withSales(async ({ models }) => {
    for (const after of ['x', 'W10', Buffer.from('[1,"a",1,"\'; DROP TABLE x; --"]').toString('base64url')]) {
      const failure = await models.page(sales, { ...firstPage, after }).catch((error: Problem) => error.code);
      assert.is(failure, 'invalid-query');
    }
  }));

test('the function that reads rows takes tables of perspectives, known types and known comparisons only', () =>
  withMigratedDatabase(async ({ connect }) => {
    await createPerspectiveTables(connect({ owner: true }), [sales]);
    const runtime = connect();
    const condition = { column: 'total', type: 'numeric', is: 'gte', values: ['1'] };
    const call = (from: string, over: object, order: object = { column: 'id', descending: false }) =>
      runtime
        .rows({
          text: 'SELECT models FROM svc_read_rows($1, $2, NULL)',
          values: [
            from,
            JSON.stringify({
              filters: [{ ...condition, ...over }],
              segments: [{ where: [], order: [order] }],
              keys: [{ column: 'id', type: 'text' }],
              limit: 1,
              offset: 0,
              isWhole: true,
              count: 'exact',
              counted: 1,
            }),
          ],
        })
        .then(
          ([row]) => row?.[0],
          (error: unknown) => String(error),
        );
    assert.is(await call(sales.table, {}), '[]');
    const evil = '1; DROP TABLE svc_events';
    for (const [failure, refusal] of [
      [await call('svc_events', {}), /is not the table of a perspective/],
      [await call(`${sales.table}; DROP TABLE svc_events`, {}), /is not the table of a perspective/],
      [await call(sales.table, { type: evil }), /is not the type of a column/],
      [await call(sales.table, { is: evil }), /case not found/],
      [await call(sales.table, { column: evil }), /column ".*" does not exist/],
      [await call(sales.table, { values: [evil] }), /invalid input syntax/],
      [await call(sales.table, {}, { column: evil, descending: true, isNullable: true }), /does not exist/],
    ] as const)
      assert.match(String(failure), refusal);
  }));
