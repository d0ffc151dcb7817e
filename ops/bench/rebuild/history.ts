import { connect } from '../../../runtime/database/connect.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { createPerspectiveTables } from '../../../runtime/perspectives/tables/create-tables.js';
import { perspectiveTable } from '../../../runtime/perspectives/tables/perspective-table.js';
import { orderTotals } from './order-totals.js';

/** Fills an empty database with interleaved events of many streams, and creates the table of the perspective. */
export async function makeHistory(url: string, events: number, streams: number): Promise<void> {
  await migrate({ ownerUrl: url });
  const client = await connect(url);
  try {
    await client.query(
      `INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
        SELECT n, md5((n % $2)::text)::uuid, (n - 1) / $2 + 1, gen_random_uuid(), 'OrderPlaced',
          json_build_object('amount', n % 100, 'note', repeat('x', 200)),
          json_build_object('correlationId', gen_random_uuid(), 'scope', json_build_object('tenantId', 'north')), 'bench', at, at
        FROM generate_series(1, $1::int) n CROSS JOIN LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 ms' AS at) t`,
      [events, streams],
    );
    await client.query('VACUUM ANALYZE svc_events');
    const owner = openDatabase({ url, connections: 1 });
    try {
      await createPerspectiveTables(owner, [perspectiveTable(orderTotals)]);
    } finally {
      await owner.close();
    }
    // The runner of the host has nothing to do meanwhile.
    await client.query('UPDATE svc_progress SET position = $1', [events]);
  } finally {
    await client.end();
  }
}
