import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { connect as connectNats } from 'nats';
import { suite } from '../../contracts/testing/suite.js';
import { encodeEnvelope } from '../../runtime/envelope-codec.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { openDatabase } from '../../runtime/database/database.js';
import { withDatabase } from '../../runtime/testing/database.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { loginTo } from '../../runtime/testing/nats-login.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { withFolder } from '../../runtime/testing/temporary-folder.js';
import { until } from '../../runtime/testing/until.js';
import {
  type BroadcastingHost,
  withBroadcastingHost,
  withBroadcastingHostOn,
} from '../testing/broadcasting-host.js';
import { type SpawnedHost, svc, withListening } from '../testing/spawned-host.js';
import { tamperWith } from '../testing/tampered-log.js';

const test = suite('svc monitor');

interface Scene {
  readonly nats: string;
  /** The store of the monitor. */
  readonly store: string;
  readonly monitor: (body: (host: SpawnedHost) => Promise<void>, ...args: string[]) => Promise<void>;
}

const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withEmptyNats((nats) => withSceneOn(nats, body));

const withSceneOn = (nats: string, body: (scene: Scene) => Promise<void>): Promise<void> =>
  withDatabase((store) =>
    body({
      nats,
      store,
      monitor: (watch, ...args) =>
        withListening(['monitor', '--url', nats, '--port', '0', ...args], { DATABASE_URL: store }, watch),
    }),
  );

const received = async (store: string, host: string): Promise<string[]> =>
  (
    await rowsOf(store, `SELECT event_id FROM svc_received_system_events WHERE host = '${host}' ORDER BY id`)
  ).map(([id]) => id ?? '');

/** All records, each once, in the order of its stream. */
async function hasAll(store: string, name: string, host: BroadcastingHost): Promise<void> {
  // A host may record something more at any time, as when it meets another store.
  let [arrived, sent]: [string[], string[]] = [[], []];
  await until(async () => {
    arrived = await received(store, name);
    sent = await host.broadcast();
    return arrived.length >= sent.length;
  }, 30_000);
  assert.equal(arrived, sent);
}

interface Line {
  readonly eventType?: string;
  readonly host: string;
  readonly position: number;
  readonly store: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const linesOf = ({ output }: SpawnedHost): Line[] =>
  output.stdout
    .join('')
    .split('\n')
    .filter((line) => line.includes('"eventType"'))
    .map((line) => JSON.parse(line) as Line);

/** The monitor creates the streams; it may listen a moment earlier. */
const published = (publish: () => Promise<unknown>): Promise<number> =>
  until(() =>
    publish().then(
      () => true,
      (error: { readonly code?: string }) => {
        assert.is(error.code, '503');
        return false;
      },
    ),
  );

const read = async <T>(host: SpawnedHost, path: string): Promise<T> =>
  (await (await fetch(`${host.url}/console/api/${path}`)).json()) as T;

test('a monitor that starts before the broker and the hosts receives all records of both, and prints each', () =>
  withNatsServer((server) =>
    withSceneOn(server.url, async ({ nats, store, monitor }) => {
      await server.stop();
      await monitor(async (watching) => {
        await server.start();
        await withBroadcastingHost('north', nats, (north) =>
          withBroadcastingHost('south', nats, async (south) => {
            for (let n = 0; n < 5; n++) for (const host of [north, south]) await host.order();
            await hasAll(store, 'north', north);
            await hasAll(store, 'south', south);
            const sent = await north.broadcast();
            await until(() => linesOf(watching).filter(({ host }) => host === 'north').length >= sent.length);
            assert.equal(
              linesOf(watching)
                .filter(({ host }) => host === 'north')
                .map(({ position }) => position)
                .slice(0, sent.length),
              sent.map((_, index) => index + 1),
            );
            const stores = new Set(linesOf(watching).map((line) => line.store));
            assert.is(stores.size, 2, 'each line names its store');
            const database = openDatabase({ url: store });
            for (const origin of stores) {
              const report = await verifyChain(database, { origin });
              assert.equal([report.ok, report.missing], [true, 0]);
            }
            await database.close();
          }),
        );
      });
    }),
  ));

test('a monitor that starts later and restarts receives what it missed, each record once', () =>
  withScene(async ({ nats, store, monitor }) =>
    withBroadcastingHost('north', nats, async (north) => {
      for (let n = 0; n < 5; n++) await north.order();
      const printed: number[] = [];
      const note = (watching: SpawnedHost) =>
        printed.push(...linesOf(watching).map(({ position }) => position));
      await monitor(async (watching) => {
        await hasAll(store, 'north', north);
        assert.is((await watching.kill('SIGTERM')).code, 0);
        note(watching);
      });
      for (let n = 0; n < 5; n++) await north.order();
      await monitor(async (watching) => {
        await hasAll(store, 'north', north);
        const sent = await north.broadcast();
        await until(() => linesOf(watching).length >= sent.length - printed.length);
        note(watching);
        assert.equal(
          printed,
          sent.map((_, index) => index + 1),
          'and prints each once',
        );
        const hosts = (await read<{ hosts: { name: string }[] }>(watching, 'overview')).hosts;
        assert.equal(
          hosts.map(({ name }) => name),
          ['north'],
        );
      });
    }),
  ));

test('filters select what is shown, and everything is stored', () =>
  withScene(async ({ nats, store, monitor }) =>
    withBroadcastingHost('north', nats, (north) =>
      monitor(
        async (watching) => {
          await north.order({ 'x-correlation-id': 'monday' });
          await north.order({ 'x-correlation-id': 'tuesday' });
          await north.order({ 'x-correlation-id': 'monday' });
          await hasAll(store, 'north', north);
          await until(() => linesOf(watching).length >= 2);
          assert.equal(
            linesOf(watching).map(({ eventType, data }) => [eventType, data['correlationId']]),
            [
              ['CommandAudited', 'monday'],
              ['CommandAudited', 'monday'],
            ],
          );
          const found = await read<{ records: unknown[] }>(watching, 'system?correlation=tuesday');
          assert.is(found.records.length, 2);
        },
        '--type',
        'CommandAudited',
        '--correlation',
        'monday',
      ),
    ),
  ));

test('hosts report their health, and when they stop', () =>
  withScene(async ({ nats, monitor }) =>
    monitor(async (watching) => {
      const overview = async () =>
        (await read<{ hosts: { name: string; state: string; status?: string }[] }>(watching, 'overview'))
          .hosts;
      await withBroadcastingHost('north', nats, async () => {
        await until(async () => (await overview()).some(({ status }) => status === 'Healthy'), 30_000);
        await until(async () => {
          const { stores } = await read<{ stores: { trust: string; key?: string }[] }>(watching, 'overview');
          return stores.some(({ trust, key }) => trust === 'pinned' && key !== undefined);
        });
        const { checks } = await read<{ checks: { name: string }[] }>(watching, 'health?host=north');
        assert.ok(checks.some(({ name }) => name === 'svc_relational_db'));
      });
      await until(async () => (await overview()).some(({ state }) => state === 'stopped'));
    }),
  ));

test('it keeps the heads that hosts sign; with them and those at the broker, a log that was cut off shows', () =>
  withScene(({ nats, store, monitor }) =>
    monitor(() =>
      withFolder((folder) =>
        withDatabase(async (url) => {
          await withBroadcastingHostOn(url, 'north', nats, async (north) => {
            for (let n = 0; n < 3; n++) await north.order();
            const last = await rowsOf(url, 'SELECT max(stream_position) FROM svc_system_events');
            const kept = 'SELECT max(position) FROM svc_signed_heads';
            await until(
              async () => Number((await rowsOf(store, kept))[0]?.[0]) >= Number(last[0]?.[0]),
              30_000,
            );
          });
          const env = { DATABASE_URL: url, NATS_URL: nats };
          const whole = await svc(['audit', 'verify'], env);
          assert.match(whole.stdout, /\nIt agrees with \d+ signed heads? at the broker/);
          const file = join(folder, 'heads.jsonl');
          await writeFile(file, (await svc(['audit', 'export', '--heads'], { DATABASE_URL: store })).stdout);
          const [[signed] = []] = await rowsOf(store, 'SELECT max(position) FROM svc_signed_heads');
          await tamperWith(url, `DELETE FROM svc_system_events WHERE stream_position >= ${signed}`);
          for (const [args, settings] of [
            [[], env],
            [['--against', file], { DATABASE_URL: url }],
          ] as const) {
            const { code, stderr } = await svc(['audit', 'verify', ...args], settings);
            assert.is(code, 1);
            assert.match(stderr, /: record \d+ is missing: the end of the log was cut off\.\n$/);
          }
        }),
      ),
    ),
  ));

test('garbage on the subjects does not stop it', () =>
  withScene(async ({ nats, store, monitor }) =>
    monitor(async (watching) => {
      const sender = await connectNats(loginTo(nats));
      const forger = new ForeignStore();
      const status = { messageType: 'HostStatus', payload: { checks: [null] } };
      const bodies = [
        Buffer.from('garbage'),
        Buffer.alloc(0),
        Buffer.alloc(900_000, 7),
        encodeEnvelope(forger.event(SystemEventStreams.streamId, status)),
        encodeEnvelope({ ...forger.event(SystemEventStreams.streamId), messageType: 'CommandAudited' }),
      ];
      for (const subject of ['svc.system.HostStatus', 'svc.system.Whatever', 'svc.core.auditevents'])
        for (const body of bodies) await published(() => sender.jetstream().publish(subject, body));
      await sender.close();
      await withBroadcastingHost('north', nats, async (north) => {
        await north.order();
        await hasAll(store, 'north', north);
      });
      const [[dead] = []] = await rowsOf(store, 'SELECT count(*) FROM svc_dead_letters');
      assert.is(Number(dead), 3 * bodies.length);
      assert.is((await fetch(`${watching.url}/health/live`)).status, 200);
    }),
  ));

test('repeatedly lost connections to its store do not end it, and no record is skipped', () =>
  withScene(async ({ nats, store, monitor }) =>
    withBroadcastingHost('north', nats, (north) =>
      monitor(async (watching) => {
        for (let n = 0; n < 12; n++) {
          await north.order();
          await rowsOf(
            store,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'monitor' AND datname = current_database()",
          );
          await delay(150);
        }
        await hasAll(store, 'north', north);
        const sent = await north.broadcast();
        await until(() => linesOf(watching).length >= sent.length, 30_000);
        assert.equal(
          linesOf(watching).map(({ position }) => position),
          sent.map((_, index) => index + 1),
        );
      }),
    ),
  ));

test('the store of a service is refused', () =>
  withScene(({ nats }) =>
    withBroadcastingHost('north', nats, async (north) => {
      await north.order();
      const { code, stderr } = await svc(['monitor', '--url', nats], {
        DATABASE_URL: north.databaseUrl,
      });
      assert.is(code, 1);
      assert.match(stderr, 'a monitor needs its own store');
    }),
  ));

test('without a broker setting it says what to do', async () => {
  const { code, stderr } = await svc(['monitor'], { NATS_URL: '' });
  assert.equal([code, stderr.trim().split('\n').length], [1, 1]);
  assert.match(stderr, 'Set the broker with --url or NATS_URL');
});
