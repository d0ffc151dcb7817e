import { startEmbeddedServer } from '../../../runtime/database/embedded-server.js';
import { openHome, removeHome } from '../../../runtime/database/embedded/server-home.js';
import { copyCluster } from '../../../runtime/testing/copy-postgres-cluster.js';
import { withName } from '../../../runtime/kit/database.js';
import { withNatsServer } from '../../../runtime/testing/nats-server.js';
import { rowsOf } from '../../../runtime/testing/rows-of.js';
import { temporaryFolder } from '../../../runtime/kit/temporary-folder.js';
import { svc } from '../../testing/spawned-host.js';
import { deadLettersIn, inStore } from '../harness/cluster-queries.js';
import { exchangingOrders } from '../harness/killable-host.js';
import type { RetryingClients } from '../harness/retrying-clients.js';
import { createDatabase } from './create-database.js';
import { outboxIsDrained } from './outbox-expectations.js';
import { type Expectation, holdsWithin, type Scenario } from './scenario.js';
import { startReadyHost } from './scenario-host.js';
import { withLoad } from './scenario-load.js';

/**
 * A store is copied, as a database of its server and with the data directory as another server. The first copy is refused
 * until it is adopted, the second looks like the store and is adopted by force; then all run beside each other.
 */
export const copiedStore: Scenario = async ({ seed, printProgress }, checkOutcome) => {
  const folders = [await temporaryFolder(), await temporaryFolder()] as const;
  try {
    await withNatsServer(async ({ url: nats }) => {
      const before = await firstOrders(folders[0], nats, seed);
      printProgress('the store is copied twice');
      const { urls, stop } = await copies(folders);
      try {
        const adopted = await adopting(urls, nats);
        const names = ['north', 'twin', 'clone', 'receiver'] as const;
        const hosts = await Promise.all(
          names.map((name) =>
            startReadyHost(name, { NATS_URL: nats, DATABASE_URL: urls[name] }, exchangingOrders),
          ),
        );
        await withLoad(hosts, seed + 1, 2, async (clients) => {
          const writing = clients.slice(0, 3);
          await Promise.all(clients.map((each) => each.waitForMore(20)));
          await Promise.all(clients.map((each) => each.stop()));
          const promises = [...adopted, ...(await keptApart(urls))];
          const north = [before, ...writing.slice(0, 1)];
          await checkOutcome({ promises, stores: [{ url: urls.north, clients: north, host: 'north' }] });
        });
      } finally {
        await stop();
      }
    });
  } finally {
    for (const folder of folders) await removeHome(folder);
  }
};

interface Urls {
  readonly north: string;
  /** The copy on the same server. */
  readonly twin: string;
  /** The copy with the data directory. */
  readonly clone: string;
  readonly receiver: string;
}

/** Before it is copied. */
async function firstOrders(dataDir: string, nats: string, seed: number): Promise<RetryingClients> {
  const server = await startEmbeddedServer({ dataDir });
  try {
    const store = await createDatabase(server.url, 'north');
    await createDatabase(server.url, 'receiver');
    const host = await startReadyHost('north', { NATS_URL: nats, DATABASE_URL: store });
    const all: RetryingClients[] = [];
    await withLoad([host], seed, 2, async (clients) => {
      all.push(...clients);
      await Promise.all(clients.map((each) => each.waitForMore(20)));
      await Promise.all(clients.map((each) => each.stop()));
      await outboxIsDrained(store);
    });
    await rowsOf(server.url, 'CREATE DATABASE twin TEMPLATE north');
    return all[0] as RetryingClients;
  } finally {
    await server.stop();
  }
}

async function copies([here, there]: readonly [string, string]): Promise<{
  readonly urls: Urls;
  readonly stop: () => Promise<void>;
}> {
  await copyCluster(await openHome(here), there);
  const [first, second] = [
    await startEmbeddedServer({ dataDir: here }),
    await startEmbeddedServer({ dataDir: there }),
  ];
  const at = (name: string): string => withName(first.url, name);
  return {
    urls: {
      north: at('north'),
      twin: at('twin'),
      receiver: at('receiver'),
      clone: withName(second.url, 'north'),
    },
    stop: async () => {
      await first.stop();
      await second.stop();
    },
  };
}

async function adopting({ twin, clone }: Urls, nats: string): Promise<readonly Expectation[]> {
  const start = await svc(['start', 'examples/orders'], { DATABASE_URL: twin, NATS_URL: nats });
  const adopt = (url: string, ...force: readonly string[]) =>
    svc(['store', 'adopt', '--reason', 'a rehearsal', ...force], { DATABASE_URL: url });
  const [asTwin, unforced] = [await adopt(twin), await adopt(clone)];
  const asClone = await adopt(clone, '--force');
  return [
    {
      promise: 'a host refuses a copy',
      kept: start.code !== 0 && start.stderr.includes('is a copy of the store'),
    },
    { promise: 'the copy is adopted', kept: asTwin.code === 0 },
    {
      promise: 'what looks like the store is adopted by force only',
      kept: unforced.code === 1 && asClone.code === 0,
    },
  ];
}

const idText = 'SELECT id FROM svc_store';
const ownText = 'SELECT event_id FROM svc_events WHERE origin = 0 ORDER BY 1';
const receivedText = (store: string): string =>
  `SELECT e.event_id FROM svc_events e JOIN svc_origins o USING (origin) WHERE o.store = '${store}' AND origin > 0 ORDER BY 1`;

const listOf = async (url: string, text: string): Promise<readonly string[]> =>
  (await rowsOf(url, text)).map(([first]) => first ?? '');

/** Every store's events arrive under its id, and nothing else does. */
async function keptApart(urls: Urls): Promise<readonly Expectation[]> {
  const { north, twin, clone, receiver } = urls;
  const drained = await Promise.all([north, twin, clone].map(outboxIsDrained));
  const ofNorth = await listOf(north, ownText);
  const arrived = await Promise.all(
    [north, twin, clone].map(async (url) => {
      const [id = ''] = await listOf(url, idText);
      const own = (await listOf(url, ownText)).filter((each) => url === north || !ofNorth.includes(each));
      return holdsWithin(`exactly its own events of ${id} are received`, 60_000, async () => {
        const received = await listOf(receiver, receivedText(id));
        return own.length > 0 && own.join() === received.join();
      });
    }),
  );
  const ids = await Promise.all([north, twin, clone].map((url) => listOf(url, idText)));
  const losses = await listOf(north, 'SELECT epoch FROM svc_epochs WHERE epoch > 1');
  const held = await listOf(receiver, 'SELECT store FROM svc_origins WHERE held_epoch IS NOT NULL');
  return [
    ...drained,
    ...arrived,
    { promise: 'every store has an id of its own', kept: new Set(ids.flat()).size === 3 },
    { promise: 'the original notices nothing', kept: losses.length === 0 },
    {
      promise: 'the receiver holds and refuses nothing',
      kept: held.length === 0 && (await inStore(receiver, deadLettersIn)) === 0,
    },
  ];
}
