import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { decodeBytes } from '../../runtime/envelope-codec.js';
import { withFolder } from '../../runtime/testing/temporary-folder.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { Inbox } from '../../runtime/testing/transport-contract.js';
import { until } from '../../runtime/testing/until.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { spawnRelay, type SpawnedRelay } from '../testing/spawned-relay.js';

const test = suite('outbox relays and NATS');

interface Scene {
  readonly inbox: Inbox;
  readonly append: (count: number) => Promise<void>;
  readonly spawn: () => SpawnedRelay;
  /** Another relay that is running and waits, so that a test does not measure how long a process takes to start. */
  readonly standby: () => Promise<SpawnedRelay>;
  readonly owner: () => Promise<string | null | undefined>;
}

const withRelays = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withEmptyNats((url) => withRelaysOn(url, body));

const withRelaysOn = (nats: string, body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase((store) =>
    withFolder(async (folder) => {
      const relays: SpawnedRelay[] = [];
      const transport = natsTransport({ url: nats, name: 'listener' });
      const inbox = new Inbox(['svc.events.Happened']);
      transport.subscribe(inbox);
      const events = store.openStore();
      const database = store.connect();
      const streams = Array.from({ length: 10 }, newUuid);
      const spawn = (): SpawnedRelay => {
        const relay = spawnRelay(store.url, folder, { nats });
        relays.push(relay);
        return relay;
      };
      try {
        await body({
          inbox,
          append: async (count) => {
            const one = (n: number) => events.append(streams[n % streams.length] ?? '', happened());
            for (let n = 0; n < count; n += 1_000)
              await Promise.all(Array.from({ length: Math.min(1_000, count - n) }, (_, i) => one(n + i)));
          },
          spawn,
          standby: async () => {
            const relay = spawn();
            const text = 'SELECT FROM pg_stat_activity WHERE application_name = $1';
            await until(async () => (await database.rows({ text, values: [relay.owner] })).length > 0);
            return relay;
          },
          owner: async () => {
            const text = "SELECT owner FROM svc_cursors WHERE name = 'outbox'";
            return (await database.rows({ text }))[0]?.[0];
          },
        });
      } finally {
        for (const relay of relays) relay.signal('SIGKILL');
        await Promise.all(relays.map(({ ended }) => ended));
        await transport.close();
      }
    }),
  );

const happened = () => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: { text: 'x'.repeat(200) },
  timestamp: new Date().toISOString(),
  v: 1 as const,
});

/** Every message once, and every stream in order. */
function mustBeComplete({ arrived }: Inbox, count: number): void {
  const seen = new Map<string, number>();
  for (const { body } of arrived) {
    const { streamId, streamPosition } = decodeBytes(body) as StoredEvent;
    assert.is(streamPosition, (seen.get(streamId) ?? 0) + 1, `${streamId} jumps`);
    seen.set(streamId, streamPosition);
  }
  assert.is(arrived.length, count);
}

test('when the relay is killed, another one continues within 5 s; nothing is missing, doubled or out of order', () =>
  withRelays(async ({ inbox, append, spawn, standby, owner }) => {
    const first = spawn();
    await until(async () => (await owner()) === first.owner);
    const second = await standby();
    const appended = append(4_000);
    await inbox.holds(200);
    first.signal('SIGKILL');
    const before = inbox.arrived.length;
    const took = await until(async () => (await owner()) === second.owner);
    assert.ok(took < 5_000, `${took} ms`);
    assert.ok(before < 4_000, 'killed in the middle of its work');
    await appended;
    await inbox.holds(4_000, 60_000);
    mustBeComplete(inbox, 4_000);
  }));

test('a frozen relay is replaced within 5 s, and does no harm when it wakes up', () =>
  withRelays(async ({ inbox, append, spawn, standby, owner }) => {
    const frozen = spawn();
    await until(async () => (await owner()) === frozen.owner);
    const other = await standby();
    const appended = append(4_000);
    await inbox.holds(200);
    frozen.signal('SIGSTOP');
    const took = await until(async () => (await owner()) === other.owner);
    assert.ok(took < 5_000, `${took} ms`);
    await appended;
    await inbox.holds(4_000, 60_000);
    frozen.signal('SIGCONT');
    await append(500);
    await inbox.holds(4_500, 60_000);
    // Enough time for what it was about to do when it was frozen.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    mustBeComplete(inbox, 4_500);
    assert.is(await owner(), other.owner);
  }));

test('while the broker is killed repeatedly, every stream stays complete and in order', () =>
  withNatsServer((server) =>
    withRelaysOn(server.url, async ({ inbox, append, spawn }) => {
      spawn();
      const appended = append(6_000);
      for (const share of [500, 2_000, 4_000]) {
        await inbox.holds(share, 60_000);
        await server.stop('SIGKILL');
        await server.start();
      }
      await appended;
      await until(
        () => new Set(inbox.arrived.map((one) => one.header('Nats-Msg-Id'))).size === 6_000,
        60_000,
      );
      const seen = new Map<string, number>();
      for (const { body } of inbox.arrived) {
        const { streamId, streamPosition } = decodeBytes(body) as StoredEvent;
        const last = seen.get(streamId) ?? 0;
        assert.ok(streamPosition <= last + 1, `${streamId} jumps from ${last} to ${streamPosition}`);
        seen.set(streamId, Math.max(last, streamPosition));
      }
    }),
  ));
