import * as assert from 'uvu/assert';
import { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { createPerspectiveTables } from '../../runtime/perspectives/tables/create-tables.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { listPerspectives } from './perspective-list.js';

const test = suite('list of perspectives');

class Baked extends Event {}

const loaves = (version: number) =>
  perspectiveTable({
    name: 'loaves',
    events: [Baked],
    version,
    columns: {},
    initial: () => ({}),
    apply: () => ({}),
  });

test('after a rollback the model that readers see is listed, as stopped only when no host runs either version', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const [first, second] = [loaves(1), loaves(2)];
    await createPerspectiveTables(owner, [first, second]);
    await owner.rows({ text: `CREATE OR REPLACE VIEW ${first.view} AS SELECT * FROM ${first.table}` });
    const listed = async (leaseOfFirst: string, leaseOfSecond: string) => {
      const text = `WITH moved AS (UPDATE svc_progress SET position = $2 WHERE name = $1)
        INSERT INTO svc_leases(name, lease_until) VALUES ($1, clock_timestamp() + $3::interval)
          ON CONFLICT (name) DO UPDATE SET lease_until = excluded.lease_until`;
      await owner.rows({ text, values: [first.table, 7, leaseOfFirst] });
      await owner.rows({ text, values: [second.table, 3, leaseOfSecond] });
      return (await listPerspectives(connect())).map(({ name, position, state }) => [name, position, state]);
    };
    assert.equal(await listed('1 minute', '-1 minute'), [['loaves', 7, 'live']]);
    assert.equal(await listed('-1 minute', '1 minute'), [['loaves', 7, 'live']]);
    assert.equal(await listed('-1 minute', '-1 minute'), [['loaves', 7, 'stopped']]);
  }));
