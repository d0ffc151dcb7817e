import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Transport } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import { leaseDefaults } from '../../runtime/leases/host-leases.js';
import { hostLeases } from '../../runtime/testing/leases.js';
import { postgresOutbox } from '../../runtime/outbox/postgres-outbox.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { isReachable } from '../../runtime/testing/reachable.js';
import { until } from '../../runtime/kit/until.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { everything } from '../../runtime/testing/in-memory-outbox.js';
import { type OutboxRelay, startOutboxRelay } from './outbox-relay.js';

const test = suite('outbox relay and its link to the broker');

interface Host {
  readonly id: string;
  readonly relay: OutboxRelay;
  readonly transport: Transport;
  /** How often it has asked the broker for an answer. */
  readonly pings: () => number;
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

const withRelays = (leaseMs: number, body: (scene: Scene) => Promise<void>): Promise<void> =>
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
          const ping = transport.ping.bind(transport);
          let pings = 0;
          Object.assign(transport, { ping: () => (pings++, ping()) });
          const outbox = postgresOutbox(database, id, id);
          const leases = hostLeases(database, id, leaseMs);
          const ports = { outbox, transport, filter: everything, report: () => undefined, leases };
          const relay = startOutboxRelay(ports, { idleMs: leaseMs });
          const host = { id, transport, relay, pings: () => pings };
          hosts.push(host);
          return host;
        };
        const owner = () => one("SELECT owner FROM svc_leases WHERE name = 'outbox'");
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
            version: () => one("SELECT xmin || ' ' || ctid FROM svc_leases WHERE name = 'outbox'"),
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

/** It does not end during the test: another host has it only when it was given back. */
const longMs = 120_000;

test('when the link of the active relay falls silent, it gives its lease back and another host publishes', () =>
  withRelays(longMs, async ({ line, first, start, append, owner, pending }) => {
    const second = await start();
    await underLoad(append, async () => {
      await until(() => first.relay.counts.published > 100);
      line.silence();
      await until(async () => (await owner()) === second.id);
      const { published } = second.relay.counts;
      await until(() => second.relay.counts.published > published + 100);
    });
    await until(async () => (await pending()) === 0);
    assert.is(await owner(), second.id, 'the unreachable host stays out');
    assert.ok(['outOfReach', 'probing'].includes(first.relay.state), first.relay.state);
  }));

test('while no host reaches the broker, none competes for the lease', () =>
  withRelays(leaseDefaults.leaseMs, async ({ line, first, append, owner, pending, version }) => {
    line.silence();
    await append(10);
    await until(async () => first.relay.state === 'outOfReach' && (await owner()) === null);
    const before = await version();
    const pings = first.pings();
    await until(() => first.pings() > pings + 3);
    assert.is(await version(), before);
    line.resume();
    await until(async () => (await pending()) === 0);
  }));
