import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Event } from '../../contracts/message.js';
import type { ColumnType, Perspective } from '../../contracts/perspective.js';
import type { Database } from '../database/database.js';
import { createPerspectiveTables } from '../perspectives/tables/create-tables.js';
import { perspectiveTable, type TableColumn } from '../perspectives/tables/perspective-table.js';
import { type FilterOperator, type ReadModels, readModels } from '../perspectives/reads/read-models.js';
import type { InMemoryRow } from '../kit/in-memory-rows.js';
import { type MigratedDatabase, withMigratedDatabase } from './migrated-database.js';

class Sold extends Event {}

type Sale = Readonly<Record<string, string | null>>;

const types = {
  note: 'text',
  total: 'numeric',
  paid: 'boolean',
  at: 'timestamptz',
  items: 'integer',
} as const;

export class Sales implements Perspective<Sale> {
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

export const sales = perspectiveTable(new Sales());

function valueOf(sale: Sale, name: string, type: ColumnType): string | boolean | null {
  const value = sale[name] ?? null;
  return type === 'boolean' && value !== null ? value === 'true' : value;
}

export const columnOf = (name: string): TableColumn =>
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

export const anyRow = fc.record({ model: anySale, tenant: fc.constantFrom('north', 'south', null) });

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

export const anyQuery = fc.record({
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

export const withSales = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }: MigratedDatabase) => {
    const owner = connect({ owner: true });
    await createPerspectiveTables(owner, [sales]);
    await body({ owner, models: readModels(connect()) });
  });

/** Ids are not in the order of positions. */
export const rowsOf = (
  list: readonly { readonly model: Sale; readonly tenant: string | null }[],
): InMemoryRow[] =>
  list.map(({ model, tenant }, at) => ({
    id: `${(at * 7) % 10}-${String(at).padStart(3, '0')}`,
    position: at + 1,
    tenant,
    model: { ...model, id: `${(at * 7) % 10}-${String(at).padStart(3, '0')}` },
  }));

export async function insert({ owner }: Scene, rows: readonly InMemoryRow[]): Promise<void> {
  const stored = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(sales.columns.map((each) => [each.column, each.of(row.model)])),
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
