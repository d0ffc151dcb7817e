import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../../config/config.js';
import { startHost } from '../../host/host.js';
import { withCountedTransactions } from '../../testing/idle-host.js';
import { ordersAlone } from '../../testing/orders-alone.js';
import type { Figures } from '../harness/rounds.js';

/** The queries of a whole host while it has no requests; what the server does by itself is not counted. */
export const measureIdle = (
  databaseUrl: string,
  natsUrl: string,
  { settleMs, seconds }: { readonly settleMs: number; readonly seconds: number },
): Promise<Figures> =>
  withCountedTransactions(databaseUrl, async (url, transactions) => {
    const env = { SVC_PORT: '0', SVC_NAME: 'idle', DATABASE_URL: url, NATS_URL: natsUrl };
    const host = await startHost(ordersAlone, readConfig(env));
    try {
      await delay(settleMs);
      const before = transactions();
      await delay(seconds * 1_000);
      return { 'queries/s': (transactions() - before) / seconds };
    } finally {
      await host.stop();
    }
  });
