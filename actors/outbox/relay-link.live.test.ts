import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Transport } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import { Notifications } from '../../runtime/database/notifications.js';
import { postgresOutbox } from '../../runtime/outbox/postgres-outbox.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { isReachable } from '../../runtime/testing/reachable.js';
import { until } from '../../runtime/testing/until.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { everything } from '../../runtime/testing/in-memory-outbox.js';
import { type OutboxRelay, startOutboxRelay } from './outbox-relay.js';
import { relayDefaults } from './outbox-relay-machine.js';

const test = suite('outbox relay and its link to the broker');

interface Host {
  readonly id: string;
  readonly relay: OutboxRelay;
  readonly transport: Transport;
}

interface Scene {
  /** The first host's link to the broker. */
  readonly line: NetworkProxy;
  readonly first: Host;
  readonly start: () => Promise<Host>;
  readonly append: (count: number) => Promise<void>;
  readonly owner: () => Promise<string | null | undefined>;
  readonly pending: () => Promise<number>;
  /** Changes with every write to the row of the lease. */
  readonly version: () => Promise<string | null | undefined>;
}

const withRelays = (body: (scene: Scene) => Promise<void>, pollMs = relayDefaults.pollMs): Promise<void> =>
  withEmptyNats((broker) =>
    withProxy(broker, (line) =>
      withMigratedDatabase(async (store) => {
        const events = store.openStore();
        const database = store.connect();
        const hosts: Host[] = [];
        const one = async (text: string) => (await database.rows({ text }))[0]?.[0];
        const start = async (url: string): Promise<Host> => {
          const id = newUuid();
          const transport = natsTransport({ url, name: id });
          await until(() => isReachable(transport));
          const outbox = postgresOutbox(database, id, id);
          const notifications = new Notifications(database);
          const ports = { outbox, transport, filter: everything, report: () => undefined, notifications };
          const host = { id, transport, relay: startOutboxRelay(ports, { idleMs: 10_000, pollMs }) };
          hosts.push(host);
          return host;
        };
        const owner = () => one("SELECT owner FROM svc_cursors WHERE name = 'outbox'");
        try {
          const first = await start(line.url);
          await until(async () => (await owner()) === first.id);
          await body({
            line,
            first,
            start: () => start(broker),
            append: async (count) => {
              const streams = Array.from({ length: count }, newUuid);
              await Promise.all(streams.map((stream) => events.append(stream, happened())));
            },
            owner,
            pending: async () => Number(await one('SELECT count(*) FROM svc_outbox_pending')),
            version: () => one("SELECT xmin || ' ' || ctid FROM svc_cursors WHERE name = 'outbox'"),
          });
        } finally {
          line.resume();
          await Promise.all(hosts.map(({ relay }) => relay.stop()));
          await Promise.all(hosts.map(({ transport }) => transport.close()));
        }
      }),
    ),
  );

const happened = () => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1 as const,
});

/** Appends continuously, so that any gap in publishing shows. */
async function underLoad(append: Scene['append'], body: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const load = (async () => {
    while (!over.signal.aborted) {
      await append(20);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  try {
    await body();
  } finally {
    over.abort();
    await load;
  }
}

test('when the link of the active relay falls silent, another host publishes within 5 s', () =>
  withRelays(async ({ line, first, start, append, owner, pending }) => {
    const second = await start();
    await underLoad(append, async () => {
      await until(() => first.relay.counts.published > 100);
      line.silence();
      const took = await until(async () => (await owner()) === second.id, 30_000);
      assert.ok(took < 5_000, `${took} ms`);
      const { published } = second.relay.counts;
      await until(() => second.relay.counts.published > published + 100);
    });
    await until(async () => (await pending()) === 0);
    assert.is(await owner(), second.id, 'the unreachable host stays out');
    assert.ok(['outOfReach', 'probing'].includes(first.relay.state), first.relay.state);
  }));

test('a relay whose link is back may acquire the lease again', () =>
  withRelays(async ({ line, first, start, append, owner, pending }) => {
    const second = await start();
    line.silence();
    await append(10);
    await until(async () => (await owner()) === second.id && (await pending()) === 0);
    line.resume();
    await until(() => !['outOfReach', 'probing', 'steppingDown'].includes(first.relay.state));
    await second.relay.stop();
    await append(10);
    await until(async () => (await owner()) === first.id && (await pending()) === 0);
  }));

test('while no host reaches the broker, none competes for the lease', () =>
  withRelays(async ({ line, first, append, owner, pending, version }) => {
    line.silence();
    await append(10);
    await until(async () => first.relay.state === 'outOfReach' && (await owner()) === null);
    const before = await version();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.is(await version(), before);
    line.resume();
    await until(async () => (await pending()) === 0);
  }, 400));
