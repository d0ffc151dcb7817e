import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { withNatsTap, type TappedMessage } from '../../runtime/testing/nats-tap.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from './host.js';
import { createOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('hosts on NATS');

interface Scene {
  readonly url: string;
  readonly received: readonly TappedMessage[];
  readonly start: (name: string, env?: Record<string, string>) => Promise<Host>;
  readonly nats: string;
}

/** Hosts on one store and one broker, and all messages that cross it. */
const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withEmptyNats((nats) =>
    withStore((url) =>
      withNatsTap(nats, async (received) => {
        const hosts: Host[] = [];
        const start: Scene['start'] = async (name, env = {}) => {
          const given = { SVC_PORT: '0', SVC_NAME: name, DATABASE_URL: url, NATS_URL: nats, ...env };
          const host = await startHost(ordersAlone, readConfig(given));
          hosts.push(host);
          return host;
        };
        try {
          await body({ url, received, start, nats });
        } finally {
          for (const host of hosts) await host.stop();
        }
      }),
    ),
  );

/** A busy machine may make a host refuse for a moment. */
const order = async (at: string): Promise<void> => {
  await until(async () => (await createOrder(at)).status === 200, 60_000);
};

const left = 'SELECT count(*) FROM svc_outbox_pending';

const drained = (url: string): Promise<number> =>
  until(async () => (await rowsOf(url, left))[0]?.[0] === '0', 20_000);

const published = (received: readonly TappedMessage[], prefix = 'svc.'): TappedMessage[] =>
  received.filter(({ subject, isDelivery }) => subject.startsWith(prefix) && !isDelivery);
/** Messages that are published but not stored. */
const notices = ['svc.system.HostStatus', 'svc.system.ChainHead'];
const ofTheLog = (received: readonly TappedMessage[]): TappedMessage[] =>
  published(received).filter(({ subject }) => !notices.includes(subject));
const ofSystem = (received: readonly TappedMessage[]): TappedMessage[] =>
  ofTheLog(received).filter(({ subject }) => !subject.startsWith('svc.events.'));
const idsOf = (received: readonly TappedMessage[]): (string | undefined)[] => received.map(({ id }) => id);

test('local-only is provable: by default not one byte of a system event crosses the broker', () =>
  withScene(async ({ url, received, start }) => {
    const host = await start('north');
    for (let n = 0; n < 30; n++) await order(host.url);
    await drained(url);
    const stored = await rowsOf(url, 'SELECT event_id FROM svc_events ORDER BY global_position');
    await until(() => published(received).length === 30);
    assert.equal(
      idsOf(published(received)),
      stored.map(([id]) => id),
    );
    assert.equal(
      new Set(published(received).map(({ subject }) => subject)),
      new Set(['svc.events.OrderCreated']),
    );
    for (const { subject } of received.filter((one) => !one.subject.startsWith('svc.events.')))
      assert.match(subject, /^(?:\$JS|_INBOX)\./);
    const records = await rowsOf(url, 'SELECT event_id, event_type FROM svc_system_events');
    assert.ok(records.length >= 60);
    const crossed = Buffer.concat(received.map(({ bytes }) => bytes)).toString('latin1');
    for (const [id = '', type = ''] of records) assert.not(crossed.includes(id) || crossed.includes(type));
  }));

test('with SVC_BROADCAST=1 every system event crosses it, each once and in the order of the stream', () =>
  withScene(async ({ url, received, start }) => {
    const host = await start('north', { SVC_BROADCAST: '1' });
    for (let n = 0; n < 30; n++) await order(host.url);
    await drained(url);
    const stored = await rowsOf(url, 'SELECT event_id FROM svc_system_events ORDER BY stream_position');
    assert.ok(stored.length >= 60);
    await until(() => ofSystem(received).length >= stored.length);
    assert.equal(
      idsOf(ofSystem(received)),
      stored.map(([id]) => id),
    );
    assert.is(ofTheLog(received).length - stored.length, 30, 'and every domain event');
  }));

test('of two hosts on one store each decides what is broadcast of its own records, whichever of them relays', () =>
  withScene(async ({ url, received, start }) => {
    const quiet = await start('north');
    const loud = await start('south', { SVC_BROADCAST: '1' });
    const write = async () => {
      for (const { url: at } of [quiet, loud, quiet, loud]) await order(at);
      await drained(url);
    };
    await write();
    await quiet.stop();
    await order(loud.url);
    await drained(url);
    const stored = await rowsOf(
      url,
      "SELECT event_id FROM svc_system_events WHERE host = 'south' ORDER BY stream_position",
    );
    await until(() => ofSystem(received).length >= stored.length);
    assert.equal(
      idsOf(ofSystem(received)),
      stored.map(([id]) => id),
    );
    assert.is(published(received, 'svc.events.').length, 5);
  }));
