import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import type { OutboundMessage, Transport } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { connect } from '../../runtime/database/connect.js';
import { openDatabase } from '../../runtime/database/database.js';
import { collect } from '../../runtime/testing/collect.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { messageListener } from '../../runtime/testing/message-listener.js';
import { withNats } from '../../runtime/testing/shared-nats.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { readConfig } from '../config.js';
import { followingService } from '../testing/following-service.js';
import { type Host, startHost } from './host.js';
import { createOrder } from '../testing/order-load.js';
import { until } from '../../runtime/testing/until.js';
import { untilReady } from '../testing/probed-host.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('host inbox');

const monitor: ServiceDefinition = {
  name: 'monitor',
  receive: 'system',
  create: () => ({ endpoints: [], receptors: [] }),
};

interface Scene {
  readonly host: Host;
  readonly url: string;
  readonly rows: (sql: string) => Promise<string[][]>;
}

/** A host with its own store. */
const withHost = (
  definition: ServiceDefinition,
  env: Record<string, string>,
  transport: Transport,
  body: (scene: Scene) => Promise<void>,
): Promise<void> =>
  withStore(async (url) => {
    const config = readConfig({ SVC_PORT: '0', SVC_NAME: definition.name, DATABASE_URL: url, ...env });
    const host = await startHost(definition, config, transport);
    const client = await connect(url);
    const rows = async (sql: string) =>
      (await client.query<string[]>({ text: sql, rowMode: 'array' })).rows.map((row) => row.map(String));
    try {
      await body({ host, url, rows });
    } finally {
      await client.end();
      await host.stop();
    }
  });

const count = async ({ rows }: Scene, from: string): Promise<number> =>
  Number((await rows(`SELECT count(*) FROM ${from}`))[0]?.[0]);

/** A busy machine makes a host refuse some at first. */
const order = ({ host }: Scene): Promise<number> =>
  until(async () => (await createOrder(host.url)).status === 200);

const isReachable = (transport: Transport) => (): Promise<boolean> =>
  transport.ping().then(
    () => true,
    () => false,
  );

interface World {
  /** A transport for one host that is connected to those of the others. */
  readonly transport: () => Transport;
}

const inOneProcess = (body: (world: World) => Promise<void>): Promise<void> => {
  const shared = new InProcessTransport();
  // Each host closes its own.
  const lent = { close: () => Promise.resolve() };
  return body({ transport: () => new Proxy(shared, { get: (of, name) => get(of, lent, name) }) });
};

function get(of: object, instead: Readonly<Record<string, unknown>>, name: string | symbol): unknown {
  if (typeof name === 'string' && name in instead) return instead[name];
  const value: unknown = Reflect.get(of, name);
  return typeof value === 'function' ? (value.bind(of) as unknown) : value;
}

const overNats = (body: (world: World) => Promise<void>): Promise<void> =>
  withNats((url) => body({ transport: () => natsTransport({ url, name: `test-${newUuid()}` }) }));

for (const [how, inWorld] of [
  ['in one process', inOneProcess],
  ['over NATS', overNats],
] as const) {
  test(`${how}: another store's events are stored once, in stream order, and readAll sees them`, () =>
    inWorld((world) =>
      withHost(followingService, { SVC_AUDIT: 'all', SVC_BROADCAST: '1' }, world.transport(), (far) =>
        withHost(ordersAlone, {}, world.transport(), async (near) => {
          await until(() => isSubscribed(far));
          for (let n = 0; n < 25; n++) await order(near);
          await until(async () => (await count(far, 'svc_events')) >= 25);
          const columns =
            "stream_id, stream_position, event_id, event_type, data::text, occurred_at::text, metadata->>'traceparent'";
          const sent = await near.rows(`SELECT ${columns} FROM svc_events ORDER BY event_id`);
          assert.equal(await far.rows(`SELECT ${columns} FROM svc_events ORDER BY event_id`), sent);
          const [[store] = []] = await near.rows('SELECT id FROM svc_store');
          const seen: StoredEvent[] = await collect(
            far.host.service.eventStore.readAll({ after: 0, types: ['OrderCreated'] }),
          );
          assert.equal(
            seen.map((event) => [event.store, event.host]),
            Array.from({ length: 25 }, () => [store, 'orders']),
          );
          const audits = "svc_system_events WHERE event_type IN ('EventAudited', 'CommandAudited')";
          const fromNear = `data ->> 'auditReason' = 'received' AND data -> 'scope' ->> 'origin' = '${store ?? ''}'`;
          assert.equal([await count(far, audits), await count(far, `${audits} AND ${fromNear}`)], [25, 25]);
          assert.is(await count(far, "svc_outbox_pending WHERE event_type = 'OrderCreated'"), 0);
          assert.is(await count(near, 'svc_events'), 25, 'no echo');
        }),
      ),
    ));
}

const isSubscribed = async ({ host }: Scene): Promise<boolean> => {
  const answer = (await (await fetch(`${host.url}/health`)).json()) as {
    checks: { name: string; status: string }[];
  };
  const inTree = host.tree.some(({ name, state }) => name === 'subscriber' && state === 'running');
  return inTree && answer.checks.some(({ name, status }) => name === 'subscriptions' && status === 'Healthy');
};

test('a received event is never published again', () =>
  inOneProcess((world) => {
    const received: OutboundMessage[] = [];
    const ear = world.transport();
    return withHost(followingService, { SVC_AUDIT: 'all', SVC_BROADCAST: '1' }, world.transport(), (far) =>
      withHost(ordersAlone, {}, world.transport(), async (near) => {
        await until(() => isSubscribed(far));
        ear.subscribe(messageListener('svc.events.>', (message) => void received.push(message)));
        await order(near);
        await until(async () => (await count(far, 'svc_events')) === 1);
        const drained = `(SELECT position FROM svc_cursors WHERE name = 'outbox' AND position >= (SELECT max(global_position) FROM svc_events)) c`;
        await until(async () => (await count(far, drained)) === 1);
        assert.is(received.length, 1);
      }),
    );
  }));

const broadcasting = { SVC_AUDIT: 'all', SVC_BROADCAST: '1' };

test('a monitor stores the system stream of a broadcasting store, whichever started first, and its chain verifies', () =>
  overNats((world) =>
    withHost(ordersAlone, broadcasting, world.transport(), async (near) => {
      for (let n = 0; n < 10; n++) await order(near);
      await withHost(monitor, broadcasting, world.transport(), async (far) => {
        for (let n = 0; n < 10; n++) await order(near);
        const columns =
          'stream_position, event_id, event_type, data::text, original_position, digest, hash, host, recorded_at::text';
        const sent = await near.rows(`SELECT ${columns} FROM svc_system_events ORDER BY stream_position`);
        const isAll = async () => (await count(far, 'svc_received_system_events')) >= sent.length;
        await until(isAll);
        assert.equal(await far.rows(`SELECT ${columns} FROM svc_received_system_events ORDER BY id`), sent);
        const database = openDatabase({ url: far.url });
        const [[origin] = []] = await near.rows('SELECT id FROM svc_store');
        const report = await verifyChain(database, { origin });
        await database.close();
        assert.equal([report.ok, report.records, report.missing], [true, sent.length, 0]);
        assert.is(await count(far, 'svc_events WHERE origin <> 0'), 0);
      });
    }),
  ));

test('garbage on every subject becomes a dead letter or is skipped, and the hosts continue', () =>
  overNats((world) =>
    withHost({ ...followingService, receive: 'system' }, broadcasting, world.transport(), (far) =>
      withHost(ordersAlone, broadcasting, world.transport(), async (near) => {
        const sender = world.transport();
        await until(() => isSubscribed(far));
        await until(isReachable(sender));
        const poison = { loaves: '\0' };
        for (const [destination, envelope] of garbage(poison))
          await sender.publish({ destination, id: newUuid(), envelope: envelope as StoredEvent });
        await order(near);
        await until(async () => (await count(far, 'svc_events WHERE origin <> 0')) === 1);
        await until(async () => (await count(far, 'svc_dead_letters')) === garbage(poison).length);
        assert.is(await count(far, "svc_dead_letters WHERE source <> 'inbox' OR last_error = ''"), 0);
        await until(
          async () => (await count(far, "svc_system_events WHERE event_type = 'MessageDeadLettered'")) > 0,
        );
        await untilReady(far.host.url, ({ code }) => code === 200);
        await sender.close();
      }),
    ),
  ));

/** What a buggy or hostile sender could publish on our subjects. */
function garbage(payload: unknown): [string, unknown][] {
  const subjects = [
    'svc.events.OrderCreated',
    'svc.system.HookFailed',
    'svc.system.ChainHead',
    'svc.core.auditevents',
  ];
  return subjects.flatMap((subject): [string, unknown][] => [
    [subject, { nothing: subject }],
    [subject, { ...new ForeignStore().event(newUuid(), { payload }), v: 'one' }],
    [subject, new ForeignStore().event(newUuid(), { messageType: 'Elsewhere' })],
  ]);
}

test('a service that receives nothing subscribes to nothing', () => {
  const alone: ServiceDefinition = { name: 'alone', create: () => ({ endpoints: [], receptors: [] }) };
  return withHost(alone, {}, new InProcessTransport(), async ({ host }) => {
    assert.not(host.tree.some(({ name }) => name === 'subscriber'));
  });
});
