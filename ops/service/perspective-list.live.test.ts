import * as assert from 'uvu/assert';
import { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { createPerspectiveTables } from '../../runtime/perspectives/tables/create-tables.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { plansOf, scansOf } from '../../runtime/testing/plans-of.js';
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

test('what parked streams miss is counted by stream, however long the log is', () =>
  withMigratedDatabase(async ({ url, connect }) => {
    const owner = connect({ owner: true });
    const table = loaves(1);
    await createPerspectiveTables(owner, [table]);
    const stream = '018f0000-0000-7000-8000-000000000001';
    await owner.rows({
      text: `INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
        SELECT n, CASE WHEN n % 1000 = 1 THEN $1 ELSE gen_random_uuid() END, n, gen_random_uuid(), 'Baked', '{}', '{}', 'test', now(), now()
        FROM generate_series(1, 5000) n`,
      values: [stream],
    });
    await owner.rows({ text: 'ANALYZE svc_events' });
    const parked = `INSERT INTO svc_stuck_work(follower, key, position, state, attempts)
      VALUES ($1, $2, 1001, 'parked', 1), ($1, 'an event without a key', 7, 'parked', 1)`;
    await owner.rows({ text: parked, values: [table.table, stream] });
    await owner.rows({
      text: 'UPDATE svc_progress SET position = 5000 WHERE name = $1',
      values: [table.table],
    });
    const texts: string[] = [];
    const [listed] = await listPerspectives({
      rows: async (statement) => {
        texts.push(statement.text);
        return connect().rows(statement);
      },
    });
    assert.is(listed?.lag, 4);
    // The head of the log is a statement of its own.
    const plans = (await plansOf(url, texts[0] ?? '')).filter(
      (plan) => scansOf([plan], 'svc_perspectives').length > 0,
    );
    const scans = scansOf(plans, 'svc_events_0');
    assert.ok(scans.length > 0);
    for (const scan of scans)
      assert.match(scan['Index Cond'] ?? scan['Recheck Cond'] ?? '', 'stream_id', JSON.stringify(scan));
  }));
