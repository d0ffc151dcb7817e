import { setTimeout as delay } from 'node:timers/promises';
import { withLine } from '../../../runtime/testing/cuttable-line.js';
import { startCrashablePostgres } from '../harness/postgres.js';
import { keptWithin, type Scenario } from './scenario.js';
import { isReady, raise, withLoad } from './stage.js';

const silenceMs = 12_000;

/** The link to the database falls silent and comes back: every key is answered in the end, each command once. */
export const silentDatabase: Scenario = async ({ seed, tell }, judge) => {
  const postgres = await startCrashablePostgres();
  try {
    await withLine(postgres.url, async (line) => {
      const north = await raise('north', { DATABASE_URL: line.url });
      await withLoad([north], seed, 8, async ([clients]) => {
        if (clients === undefined) return;
        await clients.more(50);
        tell('the link to the database falls silent');
        line.silence();
        const notReady = await keptWithin(
          'readiness says no',
          15_000,
          async () => !(await isReady(north.url)),
        );
        await delay(silenceMs);
        line.resume();
        const goesOn = await keptWithin('commands go on', 30_000, () => clients.more(50).then(() => true));
        await clients.stop();
        const stuck = clients.asked.filter(({ acknowledged }) => !acknowledged).length;
        const promises = [notReady, goesOn, { promise: 'no key is stuck', kept: stuck === 0 }];
        await judge({ promises, stores: [{ url: postgres.url, clients: [clients] }] });
      });
    });
  } finally {
    await postgres.stop();
  }
};
