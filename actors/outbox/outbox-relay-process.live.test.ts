import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { type MigratedDatabase, withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { type Published, spawnRelay, type SpawnedRelay } from '../testing/spawned-relay.js';

const test = suite('outbox relay process');

interface Scene {
  readonly store: MigratedDatabase;
  readonly database: Database;
  readonly append: (count: number) => Promise<void>;
  readonly spawn: (options?: Parameters<typeof spawnRelay>[2]) => SpawnedRelay;
}

const withRelays = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase((store) =>
    withFolder(async (folder) => {
      const relays: SpawnedRelay[] = [];
      const events = store.openStore();
      const streams = Array.from({ length: 20 }, newUuid);
      try {
        await body({
          store,
          database: store.connect(),
          append: async (count) => {
            const one = (n: number) => events.append(streams[n % streams.length] ?? '', happened());
            await Promise.all(Array.from({ length: count }, (_, n) => one(n)));
          },
          spawn: (options) => {
            const relay = spawnRelay(store.url, folder, options);
            relays.push(relay);
            return relay;
          },
        });
      } finally {
        for (const relay of relays) relay.signal('SIGKILL');
        await Promise.all(relays.map(({ ended }) => ended));
      }
    }),
  );

const happened = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

async function cursorOf(database: Database): Promise<{ position: number; owner: string | null }> {
  const [row] = await database.rows({
    text: "SELECT position, owner FROM svc_progress JOIN svc_leases USING (name) WHERE name = 'outbox'",
  });
  return { position: Number(row?.[0]), owner: row?.[1] ?? null };
}

const stands = (database: Database, position: number) => async () =>
  (await cursorOf(database)).position === position;

const positionsOf = (published: readonly Published[]): Set<number> =>
  new Set(published.map(({ position }) => position));

/** The first delivery of every message is in stream order, and none is missing. */
function mustBeComplete(published: readonly Published[], count: number): void {
  assert.equal(
    [...positionsOf(published)].toSorted((a, b) => a - b),
    Array.from({ length: count }, (_, n) => n + 1),
  );
  const seen = new Map<string, number>();
  for (const { streamId, streamPosition } of published) {
    const last = seen.get(streamId) ?? 0;
    assert.ok(streamPosition <= last + 1, `${streamId} jumps from ${last} to ${streamPosition}`);
    seen.set(streamId, Math.max(last, streamPosition));
  }
}

for (const failpoint of [
  'outbox-before-publish@120',
  'outbox-after-publish@120',
  'outbox-before-advance@2',
  'outbox-after-advance@2',
]) {
  test(`a relay that dies at ${failpoint} skips nothing, and the next one continues`, () =>
    withRelays(async ({ database, append, spawn }) => {
      await append(300);
      const first = spawn({ failpoints: failpoint, leaseMs: 400 });
      assert.is(await first.ended, 'SIGKILL');
      const { position } = await cursorOf(database);
      const before = await first.published();
      const known = positionsOf(before);
      for (let passed = 1; passed <= position; passed++) assert.ok(known.has(passed));

      const second = spawn({ leaseMs: 400 });
      await until(stands(database, 300));
      mustBeComplete([...before, ...(await second.published())], 300);
    }));
}
