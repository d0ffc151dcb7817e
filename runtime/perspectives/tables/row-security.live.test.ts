import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Event } from '../../../contracts/message.js';
import { suite } from '../../../contracts/testing/suite.js';
import type { Database } from '../../database/database.js';
import { type MigratedDatabase, withMigratedDatabase } from '../../testing/migrated-database.js';
import { createPerspectiveTables } from './create-tables.js';
import { readStoredModels } from '../reads/read-stored-models.js';
import { readModels } from '../reads/read-models.js';
import { perspectiveTable } from './perspective-table.js';

const test = suite('row-level security of perspectives');

class Sold extends Event {}

const sales = perspectiveTable({
  name: 'sales',
  events: [Sold],
  initial: () => ({}),
  apply: () => ({}),
});

const tenants = ['north', 'south', "o'brien\\", '--', null] as const;

/** Stores rows of several tenants; returns what the runtime's role reads with. */
async function withSales(
  { connect }: MigratedDatabase,
  rows: readonly (string | null)[],
): Promise<{ readonly runtime: Database; readonly owner: Database }> {
  const owner = connect({ owner: true });
  await createPerspectiveTables(owner, [sales]);
  await owner.rows({
    text: `INSERT INTO ${sales.table}(id, model, tenant, position, applied, updated_at)
      SELECT n::text, jsonb_build_object('n', n), t, n, 1, now() FROM unnest($1::text[]) WITH ORDINALITY r(t, n)`,
    values: [rows],
  });
  await owner.rows({
    text: `INSERT INTO ${sales.snapshots} SELECT id, 1, gen_random_uuid(), 1, 1, gen_random_uuid(), model, tenant, 1 FROM ${sales.table}`,
  });
  return { runtime: connect(), owner };
}

const idsOf = async (database: Pick<Database, 'rows'>, text: string): Promise<string[]> =>
  (await database.rows({ text })).map(([id]) => id ?? '').sort();

/** In a transaction that is set to a tenant. */
async function idsFor(tenant: string, database: Database, text: string): Promise<string[]> {
  const session = await database.session();
  try {
    await session.rows({ text: 'BEGIN' });
    await session.rows({ text: "SELECT set_config('svc.tenant', $1, true)", values: [tenant] });
    const found = await idsOf(session, text);
    await session.rows({ text: 'COMMIT' });
    return found;
  } finally {
    session.release();
  }
}

test('a statement that forgets the tenant sees no row of another one', () =>
  withMigratedDatabase((database) =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...tenants), { maxLength: 12 }), async (rows) => {
        const { runtime, owner } = await withSales(database, rows);
        const of = (tenant: string | null) =>
          rows.flatMap((one, index) => (one === tenant ? String(index + 1) : [])).sort();
        for (const [source, id] of [
          [sales.table, 'id'],
          [sales.view, 'id'],
          [sales.snapshots, 'key'],
        ] as const) {
          const text = `SELECT ${id} FROM ${source}`;
          for (const tenant of tenants) {
            if (tenant !== null) assert.equal(await idsFor(tenant, runtime, text), of(tenant));
            assert.equal(await idsOf(runtime, text), of(null));
          }
        }
        await owner.rows({ text: `TRUNCATE ${sales.table}, ${sales.snapshots}` });
      }),
      { numRuns: 12 },
    ),
  ));

test('readers get the rows of their tenant, and the runner that folds events those of all', () =>
  withMigratedDatabase(async (database) => {
    const { runtime } = await withSales(database, ['north', 'south', null]);
    const models = readModels(runtime);
    for (const [tenant, id] of [
      ['north', '1'],
      ['south', '2'],
      [undefined, '3'],
    ] as const)
      for (const asked of ['1', '2', '3']) {
        const { model } = await models.one(sales, asked, tenant);
        assert.is(model !== undefined, asked === id, `${tenant} ${asked}`);
        // The setting of the statement before must not stay on the connection.
        assert.equal(await idsOf(runtime, `SELECT id FROM ${sales.table}`), ['3']);
      }
    assert.equal([...(await readStoredModels(runtime, sales, ['1', '2', '3'])).keys()].sort(), [
      '1',
      '2',
      '3',
    ]);
  }));

test('the functions that see all rows take the tables of perspectives only', () =>
  withMigratedDatabase(async (database) => {
    const { runtime } = await withSales(database, []);
    for (const table of ['svc_events', 'pg_authid', 'svc_per_x; DROP TABLE svc_events', '"svc_per_x"']) {
      const failure = await readStoredModels(runtime, { table }, ['1']).catch((error: unknown) => error);
      assert.match(String(failure), /is not the table of a perspective/);
    }
  }));
