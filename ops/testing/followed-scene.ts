import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { CheckResult } from '../../contracts/health.js';
import { type Database, openDatabase } from '../../runtime/database/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withOperator } from '../../runtime/testing/nats-connections.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { opened } from '../../runtime/testing/opened.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import type { Trouble } from './followed-shop.js';
import { svcInProcess } from './in-process-cli.js';
import { OrderClients } from './order-clients.js';
import { probe } from './probed-host.js';
import { listeningTo, type SpawnedHost, startCli } from './spawned-host.js';

export interface FollowedStore {
  readonly url: string;
  /** How its hosts reach it. */
  readonly line: NetworkProxy;
  readonly database: Database;
}

/** A shop that publishes its orders, and a warehouse that receives them; each has every follower that it can have. */
export interface FollowedScene {
  readonly shop: FollowedStore;
  readonly warehouse: FollowedStore;
  readonly broker: string;
  readonly orders: OrderClients;
  /** Starts a process of the shop and one of the warehouse. */
  start(release?: Release): Promise<HostPair>;
  /** Starts such pairs until so many were started; tests that end none can share them. */
  running(pairs: number): Promise<readonly HostPair[]>;
  /** From now on, followers meet this trouble. */
  bring(trouble: Trouble): Promise<void>;
  mend(trouble: Trouble): Promise<void>;
}

interface Release {
  readonly version: string;
  readonly hasFollowers: boolean;
}

export interface HostPair {
  /** The check of the leases of the shop, and of the warehouse. */
  leases(): Promise<readonly [CheckResult, CheckResult]>;
  /** Resolves when both have ended. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  freeze(): void;
  wake(): void;
}

const service = fileURLToPath(builtForProcess(new URL('./followed-shop.js', import.meta.url)));
const refusedBytes = 16_000;

type Role = 'shop' | 'warehouse';

const whole: Release = { version: '1.0.0', hasFollowers: true };

const troubling = (troubles: string, broker: string): Pick<FollowedScene, 'bring' | 'mend'> => ({
  bring: (trouble) => setTrouble({ troubles, broker }, trouble, true),
  mend: (trouble) => setTrouble({ troubles, broker }, trouble, false),
});

const upTo =
  (pairs: readonly HostPair[], start: () => Promise<HostPair>): FollowedScene['running'] =>
  async (count) => {
    while (pairs.length < count) await start();
    return pairs;
  };

const environmentOf = (role: Role, { version, hasFollowers }: Release) => ({
  SHOP_ROLE: role,
  SHOP_VERSION: version,
  SHOP_FOLLOWERS: hasFollowers ? '1' : '0',
});

export const withFollowers = (body: (scene: FollowedScene) => Promise<void>): Promise<void> =>
  withEmptyNats((broker) =>
    withFolder((troubles) =>
      withFollowedStore((shop) =>
        withFollowedStore(async (warehouse) => {
          const openings: ReturnType<typeof opened<SpawnedHost>>[] = [];
          const pairs: HostPair[] = [];
          const orders = new OrderClients();
          const startOne = (role: Role, { line }: FollowedStore, release: Release) => {
            const env = {
              ...environmentOf(role, release),
              SVC_NAME: `${role}-${openings.length}`,
              DATABASE_URL: line.url,
              NATS_URL: broker,
              SHOP_TROUBLES: troubles,
            };
            const host = startCli(['start', service], env);
            const opening = opened<SpawnedHost>((use) => listeningTo(host, use));
            openings.push(opening);
            return opening.then(({ value }) => value);
          };
          const start: FollowedScene['start'] = async (release = whole) => {
            const both = [
              startOne('shop', shop, release),
              startOne('warehouse', warehouse, release),
            ] as const;
            const pair = pairOf(await Promise.all(both), orders);
            await untilFollowed(shop, warehouse);
            pairs.push(pair);
            return pair;
          };
          try {
            await body({
              shop,
              warehouse,
              broker,
              orders,
              start,
              running: upTo(pairs, start),
              ...troubling(troubles, broker),
            });
          } finally {
            orders.stop();
            await Promise.allSettled(openings.map(async (opening) => (await opening).close()));
          }
        }),
      ),
    ),
  );

const withFollowedStore = (body: (store: FollowedStore) => Promise<void>): Promise<void> =>
  withStore((url) =>
    withProxy(url, async (line) => {
      const database = openDatabase({ url });
      try {
        await body({ url, line, database });
      } finally {
        await database.close();
      }
    }),
  );

function pairOf([shop, warehouse]: readonly [SpawnedHost, SpawnedHost], { urls }: OrderClients): HostPair {
  urls.add(shop.url);
  const send = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGCONT') urls.delete(shop.url);
    return [shop.kill(signal), warehouse.kill(signal)];
  };
  const leasesOf = async ({ url }: SpawnedHost): Promise<CheckResult> => {
    const found = (await probe(url, '/health')).checks.find(({ name }) => name === 'leases');
    return found ?? (assert.unreachable() as never);
  };
  return {
    leases: () => Promise.all([leasesOf(shop), leasesOf(warehouse)]),
    kill: async (signal) => void (await Promise.all(send(signal))),
    freeze: () => void send('SIGSTOP'),
    wake: () => {
      void send('SIGCONT');
      urls.add(shop.url);
    },
  };
}

/** A process starts at the head of the log: an order before that is not its own. */
const untilFollowed = (shop: FollowedStore, warehouse: FollowedStore): Promise<unknown> =>
  Promise.all([
    until(async () => (await countIn(shop, "svc_progress WHERE name ~ '^(reaction|process)/'")) === 16),
    until(
      async () => (await countIn(warehouse, "svc_leases WHERE name = 'inbox' AND owner IS NOT NULL")) === 1,
    ),
  ]);

export const countIn = async ({ database }: FollowedStore, from: string): Promise<number> =>
  Number((await database.rows({ text: `SELECT count(*) FROM ${from}` }))[0]?.[0]);

async function setTrouble(
  { troubles, broker }: { readonly troubles: string; readonly broker: string },
  trouble: Trouble,
  isThere: boolean,
): Promise<void> {
  const file = join(troubles, trouble);
  await (isThere ? writeFile(file, '') : rm(file));
  if (trouble === 'poison')
    await withOperator(broker, async (operator) => {
      const { streams } = await operator.jetstreamManager();
      await streams.update('SVC_EVENTS', { max_msg_size: isThere ? refusedBytes : -1 });
    });
}

/** Who holds leases, relay and subscriber included. */
export const ownersIn = async ({ shop, warehouse }: FollowedScene): Promise<readonly string[]> => {
  const text = 'SELECT DISTINCT owner FROM svc_leases WHERE owner IS NOT NULL';
  const both = await Promise.all([shop, warehouse].map(({ database }) => database.rows({ text })));
  return both.flat(2).map(String);
};

/** Which hosts of the shop run followers of this kind. */
export const ownersOf = async (
  { shop: { database } }: FollowedScene,
  kind: string,
): Promise<readonly string[]> => {
  const text = 'SELECT DISTINCT owner FROM svc_leases WHERE owner IS NOT NULL AND starts_with(name, $1)';
  return (await database.rows({ text, values: [`${kind}/`] })).map(String);
};

/** How long the last lease of both stores lasts; 0 when all have ended. */
export const longestLeaseMs = async ({ shop, warehouse }: FollowedScene): Promise<number> => {
  const text = 'SELECT max(svc_lease_remaining_ms(lease_until)) FROM svc_leases';
  const both = await Promise.all([shop, warehouse].map(({ database }) => database.rows({ text })));
  return Math.max(...both.flat(2).map(Number));
};

/** What is stuck in the shop while there is poison. */
export const poisonedFollowers = [
  'outbox',
  'perspective/customers',
  'process/shipping',
  'reaction/send-receipt',
];

/** What is stuck in a store: followers, each once. */
export const stuckIn = async ({ database }: FollowedStore): Promise<readonly string[]> =>
  (await database.rows({ text: 'SELECT DISTINCT follower FROM svc_stuck ORDER BY 1' })).map(String);

/** As an operator does it. */
export async function repair({ url }: FollowedStore, action: 'retry' | 'skip'): Promise<void> {
  const env = { DATABASE_URL: url, SVC_ACTOR: 'ann' };
  const { code, stderr } = await svcInProcess(['stuck', action, '--yes', '--reason', 'mended'], env);
  assert.is(code, 0, stderr);
}
