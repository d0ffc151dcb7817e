import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { expireLeases } from '../testing/killed-hosts.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { until } from '../../runtime/kit/until.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';

const test = suite('subscriber process');

const program = fileURLToPath(builtForProcess(new URL('../testing/subscriber-process.js', import.meta.url)));

interface Spawned {
  readonly owner: string;
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

interface Scene {
  readonly database: Database;
  readonly owner: Database;
  readonly spawn: (failpoints?: string) => Spawned;
  /** Events of five streams, each in order. */
  readonly send: (count: number) => Promise<void>;
}

const withSubscribers = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withEmptyNats((nats) => withSubscribersOn(nats, body));

const withSubscribersOn = (nats: string, body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect }) => {
    const [bakery, own] = [new ForeignStore(), newUuid()];
    const streams = Array.from({ length: 5 }, newUuid);
    const transport = natsTransport({ url: nats, name: 'bakery' });
    const spawned: Spawned[] = [];
    const send = async (count: number) => {
      await until(() => answers(transport.ping()));
      const events = Array.from({ length: count }, (_, n) => bakery.event(streams[n % 5] ?? ''));
      await Promise.all(
        events.map((event) =>
          transport.publish({
            destination: 'svc.events.Baked',
            id: event.messageId,
            envelope: { ...event, globalPosition: 1 } as StoredEvent,
          }),
        ),
      );
    };
    const start = (failpoints = ''): Spawned => {
      const owner = newUuid();
      const child = spawn(process.execPath, [program, url, owner, own, nats], {
        env: { ...process.env, SVC_FAILPOINTS: failpoints },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const one = { owner, child, ended: once(child, 'close') };
      spawned.push(one);
      return one;
    };
    try {
      await body({ database: connect(), owner: connect({ owner: true }), spawn: start, send });
    } finally {
      for (const { child } of spawned) child.kill('SIGKILL');
      await Promise.all(spawned.map(({ ended }) => ended));
      await transport.close();
    }
  });

const answers = (request: Promise<void>): Promise<boolean> =>
  request.then(
    () => true,
    () => false,
  );

const stored = async (database: Database): Promise<number> =>
  Number((await database.rows({ text: 'SELECT count(*) FROM svc_events' }))[0]?.[0]);

const ownerOf = async (database: Database): Promise<string | null | undefined> =>
  (await database.rows({ text: "SELECT owner FROM svc_leases WHERE name = 'inbox'" }))[0]?.[0];

/** Everything once, in stream order, and no dead letter. */
async function mustBeComplete(database: Database, count: number): Promise<void> {
  const [row] = await database.rows({
    text: `SELECT count(*), count(DISTINCT event_id), bool_and(stream_position = place), bool_or(late),
        (SELECT count(*) FROM svc_stuck_work)
      FROM (SELECT *, row_number() OVER (PARTITION BY stream_id ORDER BY global_position) AS place FROM svc_events) e`,
  });
  assert.equal(row, [String(count), String(count), 't', 'f', '0']);
}

for (const failpoint of ['inbox-before-store@2', 'inbox-after-store@2']) {
  test(`a subscriber that dies at ${failpoint} loses nothing, and the next one stores nothing twice`, () =>
    withSubscribers(async ({ database, owner, spawn: start, send }) => {
      const first = start(failpoint);
      await until(async () => (await ownerOf(database)) === first.owner);
      await send(300);
      await send(300);
      await first.ended;
      await expireLeases(owner);
      start();
      await until(async () => (await stored(database)) >= 600);
      await mustBeComplete(database, 600);
    }));
}

test('after a broker was killed and restarted, what is missing is received once', () =>
  withNatsServer((server) =>
    withSubscribersOn(server.url, async ({ database, spawn: start, send }) => {
      start();
      for (let round = 1; round <= 3; round++) {
        await send(200);
        await server.stop('SIGKILL');
        await server.start();
      }
      await until(async () => (await stored(database)) >= 600);
      await mustBeComplete(database, 600);
    }),
  ));
