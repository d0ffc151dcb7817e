import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Event } from '../../contracts/message.js';
import type { ModelQuery } from '../../contracts/model-query.js';
import type { ColumnType, Perspective } from '../../contracts/perspective.js';
import type { Problem } from '../../contracts/problems.js';
import { Cancellation } from '../cancellation.js';
import type { Database } from '../database/database.js';
import { RequestContext } from '../request-context.js';
import { firstPage } from '../testing/first-page.js';
import { InMemoryEventStore } from '../testing/in-memory-event-store.js';
import { type InMemoryRow, rowsInMemory } from '../testing/in-memory-rows.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import { StagedUnit } from '../unit-of-work.js';
import { createPerspectiveTables } from './create-tables.js';
import { storedModels } from './model-reader.js';
import { perspectiveTable, type TableColumn } from './perspective-table.js';
import { type FilterOperator, type ReadModels, readModels, type RowsQuery } from './read-models.js';

const test = suite('rows of a perspective');

class Sold extends Event {}

type Sale = Readonly<Record<string, string | null>>;

const types = {
  note: 'text',
  total: 'numeric',
  paid: 'boolean',
  at: 'timestamptz',
  items: 'integer',
} as const;

class Sales implements Perspective<Sale> {
  readonly name = 'sales';
  readonly events = [Sold];
  readonly newestFirst = true;
  readonly columns = Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name,
      { type, of: (sale: Sale) => valueOf(sale, name, type) },
    ]),
  );

  initial(): Sale {
    return {};
  }

  apply(sale: Sale): Sale {
    return sale;
  }
}

const sales = perspectiveTable(new Sales());

function valueOf(sale: Sale, name: string, type: ColumnType): string | boolean | null {
  const value = sale[name] ?? null;
  return type === 'boolean' && value !== null ? value === 'true' : value;
}

const columnOf = (name: string): TableColumn =>
  sales.columns.find((column) => column.name === name) ?? (assert.unreachable(name) as never);

/** Few values, so that rows are equal in them. */
const values: Readonly<Record<keyof typeof types, readonly string[]>> = {
  note: ['a', 'ab', 'b%', 'b_', 'b\\', "o'c", 'AB'],
  total: ['-1', '0', '2.50', '2.5', '10', '9999999999999999999.01'],
  paid: ['true', 'false'],
  at: ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.001Z'],
  items: ['1', '2', '10'],
};

const names = Object.keys(types) as (keyof typeof types)[];

const anySale = fc.record(
  Object.fromEntries(names.map((name) => [name, fc.option(fc.constantFrom(...values[name]), { nil: null })])),
) as fc.Arbitrary<Sale>;

const anyRow = fc.record({ model: anySale, tenant: fc.constantFrom('north', 'south', null) });

const anyFilter = fc
  .record({
    name: fc.constantFrom(...names),
    operator: fc.constantFrom<FilterOperator>('eq', 'in', 'gte', 'gt', 'lte', 'lt', 'contains'),
    picks: fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }),
  })
  .map(({ name, operator, picks }) => {
    const of = operator === 'contains' ? 'note' : name;
    const picked = picks.map((at) => values[of][at % values[of].length] ?? '');
    const single = !['eq', 'in', 'contains'].includes(operator);
    return { column: columnOf(of), operator, values: single ? picked.slice(0, 1) : picked };
  });

const anyQuery = fc.record({
  tenant: fc.constantFrom('north', undefined),
  filters: fc.array(anyFilter, { maxLength: 2 }),
  sort: fc.uniqueArray(
    fc.record({ column: fc.constantFrom(...names.map(columnOf)), descending: fc.boolean() }),
    { maxLength: 2, selector: ({ column }) => column.name },
  ),
  newestFirst: fc.boolean(),
  limit: fc.integer({ min: 1, max: 7 }),
  offset: fc.nat(9),
  count: fc.constantFrom('exact' as const, 'bounded' as const),
});

interface Scene {
  readonly owner: Database;
  readonly models: ReadModels;
}

const withSales = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }: MigratedDatabase) => {
    const owner = connect({ owner: true });
    await createPerspectiveTables(owner, [sales]);
    await body({ owner, models: readModels(connect()) });
  });

/** Ids are not in the order of positions. */
const rowsOf = (list: readonly { readonly model: Sale; readonly tenant: string | null }[]): InMemoryRow[] =>
  list.map(({ model, tenant }, at) => ({
    id: `${(at * 7) % 10}-${String(at).padStart(3, '0')}`,
    position: at + 1,
    tenant,
    model: { ...model, id: `${(at * 7) % 10}-${String(at).padStart(3, '0')}` },
  }));

async function insert({ owner }: Scene, rows: readonly InMemoryRow[]): Promise<void> {
  const stored = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(sales.columns.map(({ column, of }) => [column, of(row.model)])),
  }));
  const columns = sales.columns.map(({ column }) => `"${column}"`).join(', ');
  const typed = sales.columns.map(({ column, type }) => `"${column}" ${type}`).join(', ');
  await owner.rows({
    text: `INSERT INTO ${sales.table}(id, model, tenant, position, applied, updated_at, ${columns})
      SELECT id, model, tenant, position, 1, now(), ${columns}
      FROM json_to_recordset($1) r(id text, model jsonb, tenant text, position bigint, ${typed})`,
    values: [JSON.stringify(stored)],
  });
}

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
          text: 'SELECT models FROM svc_read_rows($1, $2)',
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

test.run();
