import { setTimeout as delay } from 'node:timers/promises';
import { withProxy } from '../../../runtime/testing/network-proxy.js';
import { startCrashablePostgres } from '../harness/crashable-postgres.js';
import { holdsWithin, type Scenario } from './scenario.js';
import { isReady, startReadyHost } from './scenario-host.js';
import { withLoad } from './scenario-load.js';

const silenceMs = 12_000;

/** The link to the database falls silent and recovers: every key is answered in the end, each command once. */
export const silentDatabase: Scenario = async ({ seed, printProgress }, checkOutcome) => {
  const postgres = await startCrashablePostgres();
  try {
    await withProxy(postgres.url, async (line) => {
      const north = await startReadyHost('north', { DATABASE_URL: line.url });
      await withLoad([north], seed, 8, async ([clients]) => {
        if (clients === undefined) return;
        await clients.waitForMore(50);
        printProgress('the link to the database falls silent');
        line.silence();
        const notReady = await holdsWithin(
          'readiness fails',
          15_000,
          async () => !(await isReady(north.url)),
        );
        await delay(silenceMs);
        line.resume();
        const recovers = await holdsWithin('commands are served again', 30_000, () =>
          clients.waitForMore(50).then(() => true),
        );
        await clients.stop();
        const stuck = clients.sent.filter(({ acknowledged }) => !acknowledged).length;
        const promises = [notReady, recovers, { promise: 'no key is stuck', kept: stuck === 0 }];
        await checkOutcome({ promises, stores: [{ url: postgres.url, clients: [clients] }] });
      });
    });
  } finally {
    await postgres.stop();
  }
};
