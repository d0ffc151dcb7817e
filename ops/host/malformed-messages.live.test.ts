import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ReceivedEnvelope } from '../../runtime/inbox/read-envelope.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { encodeEnvelope } from '../../runtime/envelope/envelope-codec.js';
import { connect } from '../../runtime/database/connect.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { receivedLetters } from '../../runtime/testing/received-letters.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { RawNats } from '../../runtime/testing/raw-nats.js';
import { loadService } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { followingService } from '../testing/following-service.js';
import { takingAll } from '../testing/taking-all.js';
import { type Host, startHost } from './host.js';
import { createOrder } from '../testing/order-load.js';
import { until } from '../../runtime/kit/until.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { untilReady } from '../testing/probed-host.js';

const test = suite('bad input of a host');

/** Receives orders of others and their system messages. */
const curious: ServiceDefinition = { ...followingService, receive: 'system' };

interface Scene {
  readonly host: Host;
  readonly nats: RawNats;
  readonly count: (from: string) => Promise<number>;
  readonly run: (sql: string) => Promise<unknown>;
}

const orders = takingAll(await loadService(fileURLToPath(new URL('../../examples/orders', import.meta.url))));

/** On a separate broker, which accepts larger messages. */
const withCuriousHost = (
  body: (scene: Scene) => Promise<void>,
  definition: ServiceDefinition = curious,
): Promise<void> =>
  withFolder(async (folder) => {
    const settings = join(folder, 'nats.conf');
    await writeFile(settings, 'max_payload: 16MB\n');
    await withNatsServer(
      ({ url: NATS_URL }) =>
        withStore(async (DATABASE_URL) => {
          const env = { SVC_PORT: '0', SVC_NAME: 'curious', SVC_AUDIT: 'all', SVC_BROADCAST: '1' };
          const host = await startHost(definition, readConfig({ ...env, DATABASE_URL, NATS_URL }));
          const client = await connect(DATABASE_URL);
          const nats = await RawNats.connect(NATS_URL);
          const count = async (from: string): Promise<number> =>
            Number((await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${from}`)).rows[0]?.n);
          try {
            await until(async () => (await fetch(`${host.url}/health/ready`)).status === 200);
            await body({ host, nats, count, run: (sql) => client.query(sql) });
          } finally {
            nats.close();
            await client.end();
            await host.stop();
          }
        }),
      ['-c', settings],
    );
  });

const whileCurious = sharedIn<Scene>(test, withCuriousHost);

const subjects = [
  'svc.events.OrderCreated',
  'svc.system.HookFailed',
  'svc.system.ChainHead',
  'svc.core.auditevents',
];

const orderOf = (store: ForeignStore) => store.event(newUuid(), { messageType: 'OrderCreated' });

/** A good message is stored whatever came before it, and the host reports healthy. */
async function expectRunning({ host, nats, count }: Scene): Promise<void> {
  const order = orderOf(new ForeignStore());
  nats.publish('svc.events.OrderCreated', encodeEnvelope(order));
  await nats.flush();
  await until(async () => (await count(`svc_events WHERE event_id = '${order.messageId}'`)) === 1);
  await untilReady(host.url, ({ code }) => code === 200);
}

test('bytes that are not a message become dead letters on every subject, also ten megabytes', () =>
  whileCurious(async (scene) => {
    const { nats, count } = scene;
    const letters = () => count("svc_dead_letters WHERE source = 'inbox'");
    const before = await letters();
    const bodies = [
      Buffer.alloc(0),
      Buffer.from('not msgpack at all'),
      Buffer.from([0xc1]),
      Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff]),
      Buffer.alloc(200_000, 0x91),
      Buffer.from([0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61, 0x01]),
      Buffer.alloc(10_000_000, 0xa5),
    ];
    for (const subject of subjects) for (const body of bodies) nats.publish(subject, body);
    await nats.flush();
    await expectRunning(scene);
    await until(async () => (await letters()) >= before + subjects.length * bodies.length);
  }));

test('unreadable and false headers stop nothing', () =>
  withCuriousHost(async (scene) => {
    const { nats, count } = scene;
    const heads = [
      'NATS/1.0\r\nsvc host: a space',
      'NATS/1.0\r\nsvc-höst: not ASCII',
      'NATS/1.0 503 No Responders',
      'NATS/1.0 100 Idle Heartbeat',
      'NATS/1.0\r\nsvc-host: someone-else',
      'NATS/1.0\r\nsvc-store: 018f0000-0000-7000-8000-000000000001',
      'garbage',
    ];
    for (const subject of subjects) {
      for (const head of heads) {
        nats.publish(subject, Buffer.alloc(0), head);
        nats.publish(subject, encodeEnvelope(orderOf(new ForeignStore())), head);
      }
    }
    await nats.flush();
    await expectRunning(scene);
    const others = subjects.length - 1;
    const lies = 2;
    const dead = subjects.length + others * heads.length + lies;
    await until(async () => (await count('svc_dead_letters')) === dead);
    assert.is(await count('svc_events'), heads.length - lies + 1);
  }));

test('a deeply nested payload is stored or becomes a dead letter', () =>
  whileCurious(async (scene) => {
    const { nats } = scene;
    for (let depth = 500; depth < 12_000; depth += 500) {
      let payload: unknown = 1;
      for (let n = 0; n < depth; n++) payload = [payload];
      try {
        nats.publish('svc.events.OrderCreated', encodeEnvelope({ ...orderOf(new ForeignStore()), payload }));
      } catch {
        break;
      }
    }
    await nats.flush();
    await expectRunning(scene);
  }));

test('a payload of an unexpected shape delays no other order', () =>
  withCuriousHost(async ({ host, nats, count }) => {
    const payloads = [null, 5, 'text', [], {}, { orderId: 'no id', total: {}, customerId: 7 }];
    for (const payload of payloads) {
      const order = orderOf(new ForeignStore());
      nats.publish('svc.events.OrderCreated', encodeEnvelope({ ...order, payload }));
    }
    await nats.flush();
    await until(
      async () => (await count('svc_events')) + (await count('svc_dead_letters')) >= payloads.length,
    );
    assert.is((await createOrder(host.url)).status, 200);
    await until(async () => {
      const page = await fetch(`${host.url}/orders`).then((answer) => answer.json());
      return (page as { data: { customerId?: string }[] }).data.some(
        ({ customerId }) => customerId !== undefined,
      );
    });
  }, orders));

test('at 10,000 dead letters garbage is dropped, a real one pauses receiving, health reports it, and room makes it continue', () =>
  withCuriousHost(async (scene) => {
    const { host, nats, count, run } = scene;
    await run(receivedLetters(10_000));
    const publish = (order: ReceivedEnvelope) =>
      nats.publish('svc.events.OrderCreated', encodeEnvelope(order));
    for (let n = 0; n < 300; n++) nats.publish('svc.events.OrderCreated', Buffer.from(`garbage ${n}`));
    const [placed, order] = [orderOf(new ForeignStore()), orderOf(new ForeignStore())];
    publish(placed);
    await nats.flush();
    await until(async () => (await count(`svc_events WHERE event_id = '${placed.messageId}'`)) === 1);
    for (let n = 0; n < 300; n++) publish({ ...placed, messageId: newUuid() });
    publish(order);
    await nats.flush();
    const subscriptions = async (): Promise<string> => {
      const health = await fetch(`${host.url}/health`).then((answer) => answer.json());
      const { checks } = health as { checks: { name: string; status: string; detail: string }[] };
      const found = checks.find(({ name }) => name === 'subscriptions');
      return `${found?.status} ${found?.detail}`;
    };
    await until(async () => /^Degraded .*dead letters wait for a decision/.test(await subscriptions()));
    await untilReady(host.url, ({ code }) => code === 200);
    assert.is(await count('svc_dead_letters'), 10_000);
    await run("UPDATE svc_stuck_work SET state = 'discarded' WHERE id <= 5000");
    await expectRunning(scene);
    const refused = "svc_dead_letters WHERE last_error LIKE 'place-taken%'";
    await until(async () => (await count(refused)) === 300);
    assert.is(await count(`svc_events WHERE event_id = '${order.messageId}'`), 1);
    await until(async () => (await subscriptions()).startsWith('Healthy'));
  }));
