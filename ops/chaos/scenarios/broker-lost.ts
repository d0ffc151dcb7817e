import { withNatsServer } from '../../../runtime/testing/nats-server.js';
import { svc } from '../../testing/spawned-host.js';
import { checkBroadcast } from '../harness/broadcast-check.js';
import type { Clients } from '../harness/clients.js';
import { broadcastBy, chainsHold, inStore, receivedBy } from '../harness/cluster-facts.js';
import { startCrashablePostgres } from '../harness/postgres.js';
import { keptWithin, type Promised, type Scenario } from './scenario.js';
import { allIsSent, createDatabase, raise, withLoad } from './stage.js';

const monitoring = ['monitor', '--type', 'MessageDeadLettered'];

/** The broker loses all it holds while the monitor is away: the loss is noticed, and sent again on request. */
export const brokerLost: Scenario = async ({ seed, tell }, judge) => {
  const postgres = await startCrashablePostgres();
  try {
    const store = await createDatabase(postgres.url, 'north');
    const monitorStore = await createDatabase(postgres.url, 'monitor');
    await withNatsServer(async (nats) => {
      const env = { NATS_URL: nats.url, SVC_BROADCAST: '1' };
      const watching = { ...env, DATABASE_URL: monitorStore };
      const north = await raise('north', { ...env, DATABASE_URL: store });
      const before = await raise('monitor', watching, monitoring);
      await withLoad([north], seed, 4, async ([clients]) => {
        if (clients === undefined) return;
        await clients.more(30);
        tell('the monitor goes away, and the broker loses its data');
        await before.host.stop();
        await sendMore(clients, store);
        await nats.stop();
        nats.forget();
        await nats.start();
        const monitor = await raise('monitor', watching, monitoring);
        await sendMore(clients, store);
        await clients.stop();
        const promises = await noticedAndHealed(store, monitorStore);
        await monitor.host.stop();
        await judge({ promises, stores: [{ url: store, clients: [clients] }] });
      });
    });
  } finally {
    await postgres.stop();
  }
};

async function sendMore(clients: Clients, store: string): Promise<void> {
  await clients.more(30);
  await allIsSent(store);
}

async function noticedAndHealed(store: string, monitorStore: string): Promise<readonly Promised[]> {
  const origin = await inStore(store, async (database) => {
    const [row] = await database.rows({ text: 'SELECT id FROM svc_store' });
    return row?.[0] ?? '';
  });
  const verify = () => svc(['audit', 'verify', '--origin', origin], { DATABASE_URL: monitorStore });
  const noticed = await keptWithin('the loss is noticed', 30_000, async () => (await verify()).code !== 0);
  const sent = await svc(['outbox', 'republish', '--from', '1'], { DATABASE_URL: store });
  const healed = await keptWithin('republishing brings back all of it', 60_000, async () => {
    const [broadcast, received] = [
      await inStore(store, broadcastBy),
      await inStore(monitorStore, receivedBy),
    ];
    // What was lost comes after what was sent later: order is not promised here.
    const { notReceived, receivedTwice, strange } = checkBroadcast(broadcast, received);
    return notReceived + receivedTwice + strange === 0;
  });
  const holds = await inStore(monitorStore, (database) => chainsHold(database, [origin]));
  return [
    noticed,
    { promise: 'republishing is accepted', kept: sent.code === 0 },
    healed,
    { promise: 'the chain that was received holds', kept: holds },
  ];
}
