import type { Database } from '../../runtime/database/database.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import type { Service } from '../../runtime/service/service.js';
import { accounts, booked } from './accounts-perspective.js';
import { timeoutSignal } from './perspective-hosts.js';

export const perspective = accounts({ snapshotEvery: 3 });

export const table = perspectiveTable(perspective).table;

export async function book(service: Service, streams: readonly string[], count: number): Promise<void> {
  let last = 0;
  for (let n = 1; n <= count; n++)
    for (const stream of streams)
      last = (await service.eventStore.append(stream, booked(n))).globalPositions[0] ?? 0;
  await service.caughtUp('accounts', last, timeoutSignal());
}

/** The rows that a wrong `apply` would have left. */
export const spoil = (owner: Database) =>
  owner.rows({ text: `UPDATE ${table} SET model = '{"amounts": [666], "sum": 666}', sum = 666` });

export const sums = async (owner: Database, from = 'svc_per_accounts'): Promise<string[]> =>
  (await owner.rows({ text: `SELECT sum FROM ${from} ORDER BY id` })).map(([sum]) => sum ?? '');
