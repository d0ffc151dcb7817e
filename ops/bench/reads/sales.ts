import { Event } from '../../../contracts/message.js';
import type { Database } from '../../../runtime/database/database.js';
import {
  type PerspectiveTable,
  perspectiveTable,
} from '../../../runtime/perspectives/tables/perspective-table.js';

class Sold extends Event {}

export const sales = (name: string): PerspectiveTable =>
  perspectiveTable({
    name,
    events: [Sold],
    initial: () => ({}),
    apply: (sale) => sale,
    columns: {
      status: { type: 'text', of: () => null },
      total: { type: 'numeric', of: () => null },
    },
  });

const rowsAtOnce = 100_000;

/** Two tenants with half of the rows each. */
export async function fillSales(owner: Database, { table }: PerspectiveTable, count: number): Promise<void> {
  for (let from = 1; from <= count; from += rowsAtOnce)
    await owner.rows({
      text: `INSERT INTO ${table}(id, model, tenant, position, applied, updated_at, status, total)
        SELECT md5(n::text), jsonb_build_object('n', n, 'note', repeat('x', 200)), (ARRAY['north', 'south'])[n % 2 + 1], n, 1, now(),
          (ARRAY['created', 'shipped', 'cancelled'])[n % 3 + 1], n % 100000 FROM generate_series($1::int, $2::int) n`,
      values: [from, Math.min(count, from + rowsAtOnce - 1)],
    });
  await owner.rows({ text: `VACUUM ANALYZE ${table}` });
}
