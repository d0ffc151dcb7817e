import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../../runtime/database/connect.js';
import { readConfig } from '../../config/config.js';
import { startHost } from '../../host/host.js';
import { ordersAlone } from '../../testing/orders-alone.js';
import type { Figures } from '../harness/rounds.js';

/** The queries of a whole host while it has no requests. */
export async function measureIdle(
  databaseUrl: string,
  natsUrl: string,
  { settleMs, seconds }: { readonly settleMs: number; readonly seconds: number },
): Promise<Figures> {
  const env = { SVC_PORT: '0', SVC_NAME: 'idle', DATABASE_URL: databaseUrl, NATS_URL: natsUrl };
  const host = await startHost(ordersAlone, readConfig(env));
  // Query from another database, so that this query is not counted.
  const client = await connect(Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href);
  const asked = async (): Promise<number> => {
    const { rows } = await client.query<{ n: string }>(
      'SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = $1',
      [new URL(databaseUrl).pathname.slice(1)],
    );
    return Number(rows[0]?.n);
  };
  try {
    await delay(settleMs);
    const before = await asked();
    await delay(seconds * 1_000);
    return { 'queries/s': ((await asked()) - before) / seconds };
  } finally {
    await client.end();
    await host.stop();
  }
}
