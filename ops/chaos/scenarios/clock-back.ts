import { withNatsServer } from '../../../runtime/testing/nats-server.js';
import { startClockedPostgres } from '../harness/clocked-postgres.js';
import { holdsWithin, type Scenario } from './scenario.js';
import { outboxIsDrained, outboxLeaseIsHeld, relayAdvances } from './outbox-expectations.js';
import { startReadyHost } from './scenario-host.js';
import { withLoad } from './scenario-load.js';

/** The database's clock goes back an hour when the lease holder dies: the other host does not wait that hour. */
export const clockBack: Scenario = async ({ seed, printProgress }, checkOutcome) => {
  const postgres = await startClockedPostgres();
  try {
    await withNatsServer(async (nats) => {
      const env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
      const north = await startReadyHost('north', env);
      await holdsWithin('north holds the lease', 30_000, () => outboxLeaseIsHeld(postgres.url));
      const south = await startReadyHost('south', env);
      await withLoad([south], seed, 4, async ([clients]) => {
        if (clients === undefined) return;
        await clients.waitForMore(30);
        printProgress('the clock of the database goes back an hour, and the lease holder is killed');
        await postgres.setClock(-3600);
        north.host.stayStopped();
        await north.host.kill();
        const advances = await relayAdvances(postgres.url, 15_000);
        await clients.waitForMore(30);
        await postgres.setClock(0);
        const afterwards = await relayAdvances(postgres.url, 15_000);
        await clients.stop();
        const promises = [advances, afterwards, await outboxIsDrained(postgres.url)];
        await checkOutcome({ promises, stores: [{ url: postgres.url, clients: [clients] }] });
      });
    });
  } finally {
    await postgres.stop();
  }
};
