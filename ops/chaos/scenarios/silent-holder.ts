import { withLine } from '../../../runtime/testing/cuttable-line.js';
import { withNatsServer } from '../../../runtime/testing/nats-server.js';
import { startCrashablePostgres } from '../harness/postgres.js';
import { keptWithin, type Scenario } from './scenario.js';
import { allIsSent, holdsOutbox, raise, relayGoesOn, withLoad } from './stage.js';

/** The link between the broker and the host that holds the leases falls silent: the other host goes on. */
export const silentHolder: Scenario = async ({ seed, tell }, judge) => {
  const postgres = await startCrashablePostgres();
  try {
    await withNatsServer((nats) =>
      withLine(nats.url, async (line) => {
        const env = { DATABASE_URL: postgres.url };
        const north = await raise('north', { ...env, NATS_URL: line.url });
        await keptWithin('north holds the lease', 30_000, () => holdsOutbox(postgres.url));
        const south = await raise('south', { ...env, NATS_URL: nats.url });
        await withLoad([north, south], seed, 4, async (clients) => {
          await Promise.all(clients.map((each) => each.more(30)));
          tell('the broker link of the lease holder falls silent');
          line.silence();
          const goesOn = await relayGoesOn(postgres.url, 15_000);
          await Promise.all(clients.map((each) => each.more(30)));
          line.resume();
          await Promise.all(clients.map((each) => each.stop()));
          const promises = [goesOn, await allIsSent(postgres.url)];
          await judge({ promises, stores: [{ url: postgres.url, clients }] });
        });
      }),
    );
  } finally {
    await postgres.stop();
  }
};
