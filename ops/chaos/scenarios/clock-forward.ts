import { setTimeout as delay } from 'node:timers/promises';
import { withNatsServer } from '../../../runtime/testing/nats-server.js';
import { deadLettersIn, eventsIn, inStore } from '../harness/cluster-queries.js';
import { startClockedPostgres } from '../harness/clocked-postgres.js';
import { startCrashablePostgres } from '../harness/crashable-postgres.js';
import { exchangingOrders } from '../harness/killable-host.js';
import { holdsWithin, type Scenario } from './scenario.js';
import { startReadyHost } from './scenario-host.js';
import { withLoad } from './scenario-load.js';

const jumpMs = 8_000;
/** Less than an order waits for its payment: a timer that fires by this clock is no fault. */
const aheadSeconds = 600;

/** One store's clock is ten minutes ahead for a moment: the other store still stores its events, each once. */
export const clockForward: Scenario = async ({ seed, printProgress }, checkOutcome) => {
  const [near, far] = [await startClockedPostgres(), await startCrashablePostgres()];
  try {
    await withNatsServer(async (nats) => {
      const start = (name: string, DATABASE_URL: string) =>
        startReadyHost(name, { DATABASE_URL, NATS_URL: nats.url }, exchangingOrders);
      const [north, south] = [await start('north', near.url), await start('south', far.url)];
      await withLoad([north, south], seed, 3, async (clients) => {
        const stores = [near.url, far.url].map((url, index) => ({
          url,
          clients: clients.slice(index, index + 1),
          host: ['north', 'south'][index] ?? '',
        }));
        await clients[0]?.waitForMore(30);
        printProgress('the clock of one store jumps ten minutes ahead');
        await near.setClock(aheadSeconds);
        await delay(jumpMs);
        await near.setClock(0);
        await clients[0]?.waitForMore(30);
        await Promise.all(clients.map((each) => each.stop()));
        const held = await holdsWithin('the other store has every event', 60_000, async () => {
          const own = await inStore(near.url, (database) => eventsIn(database, 'own'));
          const others = await inStore(far.url, (database) => eventsIn(database, 'others'));
          return own.length > 0 && others.length === own.length && own.every((id, at) => others[at] === id);
        });
        const dead = await inStore(far.url, deadLettersIn);
        const promises = [held, { promise: 'nothing is a dead letter', kept: dead === 0 }];
        await checkOutcome({ promises, stores });
      });
    });
  } finally {
    await near.stop();
    await far.stop();
  }
};
