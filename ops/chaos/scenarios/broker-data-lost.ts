import { withNatsServer } from '../../../runtime/testing/nats-server.js';
import { svc } from '../../testing/spawned-host.js';
import { checkBroadcast } from '../harness/broadcast-check.js';
import type { RetryingClients } from '../harness/retrying-clients.js';
import { broadcastBy, chainsHold, inStore, receivedBy } from '../harness/cluster-queries.js';
import { startCrashablePostgres } from '../harness/crashable-postgres.js';
import { holdsWithin, type Expectation, type Scenario } from './scenario.js';
import { outboxIsDrained } from './outbox-expectations.js';
import { createDatabase } from './create-database.js';
import { startReadyHost } from './scenario-host.js';
import { withLoad } from './scenario-load.js';

const monitoring = ['monitor', '--type', 'MessageDeadLettered'];

/** The broker loses all its data while the monitor is down: the loss is detected, and republished on request. */
export const brokerLost: Scenario = async ({ seed, printProgress }, checkOutcome) => {
  const postgres = await startCrashablePostgres();
  try {
    const store = await createDatabase(postgres.url, 'north');
    const monitorStore = await createDatabase(postgres.url, 'monitor');
    await withNatsServer(async (nats) => {
      const env = { NATS_URL: nats.url, SVC_BROADCAST: '1' };
      const watching = { ...env, DATABASE_URL: monitorStore };
      const north = await startReadyHost('north', { ...env, DATABASE_URL: store });
      const before = await startReadyHost('monitor', watching, monitoring);
      await withLoad([north], seed, 4, async ([clients]) => {
        if (clients === undefined) return;
        await clients.waitForMore(30);
        printProgress('the monitor stops, and the broker loses its data');
        await before.host.stop();
        await sendMore(clients, store);
        await nats.stop();
        nats.forget();
        await nats.start();
        const monitor = await startReadyHost('monitor', watching, monitoring);
        await sendMore(clients, store);
        await clients.stop();
        const promises = await noticedAndHealed(store, monitorStore);
        await monitor.host.stop();
        await checkOutcome({ promises, stores: [{ url: store, clients: [clients] }] });
      });
    });
  } finally {
    await postgres.stop();
  }
};

async function sendMore(clients: RetryingClients, store: string): Promise<void> {
  await clients.waitForMore(30);
  await outboxIsDrained(store);
}

async function noticedAndHealed(store: string, monitorStore: string): Promise<readonly Expectation[]> {
  const origin = await inStore(store, async (database) => {
    const [row] = await database.rows({ text: 'SELECT id FROM svc_store' });
    return row?.[0] ?? '';
  });
  const verify = () => svc(['audit', 'verify', '--origin', origin], { DATABASE_URL: monitorStore });
  const noticed = await holdsWithin('the loss is detected', 30_000, async () => (await verify()).code !== 0);
  const sent = await svc(['outbox', 'republish', '--from', '1'], { DATABASE_URL: store });
  const healed = await holdsWithin('republishing restores all of it', 60_000, async () => {
    const [broadcast, received] = [
      await inStore(store, broadcastBy),
      await inStore(monitorStore, receivedBy),
    ];
    // Lost records arrive after later ones: order is not guaranteed here.
    const { notReceived, receivedTwice, strange } = checkBroadcast(broadcast, received);
    return notReceived + receivedTwice + strange === 0;
  });
  const holds = await inStore(monitorStore, (database) => chainsHold(database, [origin]));
  return [
    noticed,
    { promise: 'republishing is accepted', kept: sent.code === 0 },
    healed,
    { promise: 'the received chain verifies', kept: holds },
  ];
}
