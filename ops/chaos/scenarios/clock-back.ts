import { withNatsServer } from '../../../runtime/testing/nats-server.js';
import { startClockedPostgres } from '../harness/postgres.js';
import { keptWithin, type Scenario } from './scenario.js';
import { allIsSent, holdsOutbox, raise, relayGoesOn, withLoad } from './stage.js';

/** The database's clock goes back an hour as the lease holder dies: the other host does not wait that hour. */
export const clockBack: Scenario = async ({ seed, tell }, judge) => {
  const postgres = await startClockedPostgres();
  try {
    await withNatsServer(async (nats) => {
      const env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
      const north = await raise('north', env);
      await keptWithin('north holds the lease', 30_000, () => holdsOutbox(postgres.url));
      const south = await raise('south', env);
      await withLoad([south], seed, 4, async ([clients]) => {
        if (clients === undefined) return;
        await clients.more(30);
        tell('the clock of the database goes back an hour, and the lease holder is killed');
        await postgres.setClock(-3600);
        north.host.abandon();
        await north.host.kill();
        const goesOn = await relayGoesOn(postgres.url, 15_000);
        await clients.more(30);
        await postgres.setClock(0);
        const afterwards = await relayGoesOn(postgres.url, 15_000);
        await clients.stop();
        const promises = [goesOn, afterwards, await allIsSent(postgres.url)];
        await judge({ promises, stores: [{ url: postgres.url, clients: [clients] }] });
      });
    });
  } finally {
    await postgres.stop();
  }
};
