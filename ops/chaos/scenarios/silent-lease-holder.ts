import { withProxy } from '../../../runtime/testing/network-proxy.js';
import { withNatsServer } from '../../../runtime/testing/nats-server.js';
import { startCrashablePostgres } from '../harness/crashable-postgres.js';
import { holdsWithin, type Scenario } from './scenario.js';
import { outboxIsDrained, outboxLeaseIsHeld, relayAdvances } from './outbox-expectations.js';
import { startReadyHost } from './scenario-host.js';
import { withLoad } from './scenario-load.js';

/** The link between the broker and the host that holds the leases falls silent: the other host takes over. */
export const silentLeaseHolder: Scenario = async ({ seed, printProgress }, checkOutcome) => {
  const postgres = await startCrashablePostgres();
  try {
    await withNatsServer((nats) =>
      withProxy(nats.url, async (line) => {
        const env = { DATABASE_URL: postgres.url };
        const north = await startReadyHost('north', { ...env, NATS_URL: line.url });
        await holdsWithin('north holds the lease', 30_000, () => outboxLeaseIsHeld(postgres.url));
        const south = await startReadyHost('south', { ...env, NATS_URL: nats.url });
        await withLoad([north, south], seed, 4, async (clients) => {
          await Promise.all(clients.map((each) => each.waitForMore(30)));
          printProgress('the broker link of the lease holder falls silent');
          line.silence();
          const advances = await relayAdvances(postgres.url, 15_000);
          await Promise.all(clients.map((each) => each.waitForMore(30)));
          line.resume();
          await Promise.all(clients.map((each) => each.stop()));
          const promises = [advances, await outboxIsDrained(postgres.url)];
          await checkOutcome({ promises, stores: [{ url: postgres.url, clients }] });
        });
      }),
    );
  } finally {
    await postgres.stop();
  }
};
