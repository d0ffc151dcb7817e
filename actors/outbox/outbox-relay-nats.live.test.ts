import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { decodeBytes } from '../../runtime/envelope/envelope-codec.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { type NatsServer, withNatsServer } from '../../runtime/testing/nats-server.js';
import { Inbox } from '../../runtime/kit/transport-contract.js';
import { until } from '../../runtime/kit/until.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { append } from '../testing/outbox-relays.js';
import { spawnRelay } from '../testing/spawned-relay.js';

const test = suite('outbox relays and NATS');

interface Scene {
  readonly server: NatsServer;
  readonly inbox: Inbox;
  readonly log: PostgresStore;
}

/** A relay in its own process. */
const withRelay = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withNatsServer((server) =>
    withMigratedDatabase((store) =>
      withFolder(async (folder) => {
        const transport = natsTransport({ url: server.url, name: 'listener' });
        const inbox = new Inbox(['svc.events.Happened']);
        transport.subscribe(inbox);
        const relay = spawnRelay(store.url, folder, { nats: server.url });
        try {
          await body({ server, inbox, log: store.openStore() });
        } finally {
          relay.signal('SIGKILL');
          await relay.ended;
          await transport.close();
        }
      }),
    ),
  );

test('while the broker is killed repeatedly, every stream stays complete and in order', () =>
  withRelay(async ({ server, inbox, log }) => {
    const appended = append(log, 6_000, 10);
    for (const share of [500, 2_000, 4_000]) {
      await inbox.holds(share, 60_000);
      await server.stop('SIGKILL');
      await server.start();
    }
    await appended;
    await until(() => new Set(inbox.arrived.map((one) => one.header('Nats-Msg-Id'))).size === 6_000);
    const seen = new Map<string, number>();
    for (const { body } of inbox.arrived) {
      const { streamId, streamPosition } = decodeBytes(body) as StoredEvent;
      const last = seen.get(streamId) ?? 0;
      assert.ok(streamPosition <= last + 1, `${streamId} jumps from ${last} to ${streamPosition}`);
      seen.set(streamId, Math.max(last, streamPosition));
    }
  }));
