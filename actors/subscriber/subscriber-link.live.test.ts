import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Transport } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import { hostLeases } from '../../runtime/testing/leases.js';
import { postgresInbox } from '../../runtime/inbox/postgres-inbox.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { isReachable } from '../../runtime/testing/reachable.js';
import { until } from '../../runtime/kit/until.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { everything } from '../../runtime/testing/in-memory-outbox.js';
import { startSubscriber, type Subscriber } from './start-subscriber.js';

const test = suite('subscriber and its link to the broker');

interface Host {
  readonly id: string;
  readonly subscriber: Subscriber;
}

interface Scene {
  /** The first host's link to the broker. */
  readonly line: NetworkProxy;
  readonly first: Host;
  readonly start: () => Host;
  readonly send: (count: number) => Promise<void>;
  readonly owner: () => Promise<string | null | undefined>;
  readonly stored: () => Promise<number>;
}

const withSubscribers = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withEmptyNats((broker) =>
    withProxy(broker, (line) =>
      withMigratedDatabase(async ({ connect }) => {
        const [bakery, own, database] = [new ForeignStore(), newUuid(), connect()];
        const transports: Transport[] = [];
        const hosts: Host[] = [];
        const one = async (text: string) => (await database.rows({ text }))[0]?.[0];
        const open = (url: string, name: string): Transport => {
          const transport = natsTransport({ url, name });
          transports.push(transport);
          return transport;
        };
        const start = (url: string): Host => {
          const id = newUuid();
          const transport = open(url, id);
          const inbox = postgresInbox(database, id);
          const leases = hostLeases(database, id);
          const ports = { inbox, transport, filter: everything, report: () => undefined, leases };
          const host = { id, subscriber: startSubscriber(ports, { store: own, types: ['Baked'] }) };
          hosts.push(host);
          return host;
        };
        const sender = open(broker, 'bakery');
        await until(() => isReachable(sender));
        const owner = () => one("SELECT owner FROM svc_leases WHERE name = 'inbox'");
        try {
          const first = start(line.url);
          await until(() => first.subscriber.subscriptions.some(({ isUp }) => isUp));
          await body({
            line,
            first,
            start: () => start(broker),
            send: async (count) => {
              for (let n = 0; n < count; n++) {
                const envelope = { ...bakery.event(newUuid()), globalPosition: 1 } as StoredEvent;
                await sender.publish({ destination: 'svc.events.Baked', id: envelope.messageId, envelope });
              }
            },
            owner,
            stored: async () => Number(await one('SELECT count(*) FROM svc_events')),
          });
        } finally {
          line.resume();
          await Promise.all(hosts.map(({ subscriber }) => subscriber.stop()));
          await Promise.all(transports.map((transport) => transport.close()));
        }
      }),
    ),
  );

test('when the link of the active subscriber falls silent, another host receives within 5 s', () =>
  withSubscribers(async ({ line, first, start, send, owner, stored }) => {
    assert.is(await owner(), first.id);
    const second = start();
    await until(() => second.subscriber.state === 'withoutLease');
    await send(50);
    await until(async () => (await stored()) === 50);
    line.silence();
    const took = await until(async () => (await owner()) === second.id);
    assert.ok(took < 5_000, `${took} ms`);
    await send(50);
    await until(async () => (await stored()) === 100);
    assert.is(first.subscriber.state === 'outOfReach' || first.subscriber.state === 'probing', true);
    line.resume();
    await until(() => first.subscriber.state === 'withoutLease');
    await second.subscriber.stop();
    const again = await until(async () => (await owner()) === first.id);
    assert.ok(again < 5_000, `${again} ms`);
    await send(50);
    await until(async () => (await stored()) === 150);
  }));
