import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withDatabase } from '../../runtime/testing/database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { withNatsTap, type TappedMessage } from '../../runtime/testing/nats-tap.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/testing/until.js';
import { loadService } from '../load-service.js';
import { readConfig } from '../config.js';
import { type Host, startHost } from './host.js';
import { createOrder } from '../testing/order-load.js';

const test = suite('hosts on NATS');

const orders = fileURLToPath(new URL('../../../examples/orders', import.meta.url));

interface Scene {
  readonly url: string;
  readonly heard: readonly TappedMessage[];
  readonly start: (name: string, env?: Record<string, string>) => Promise<Host>;
  readonly nats: string;
}

/** Hosts on one store and one broker, and everything that crosses it. */
const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withNatsServer(({ url: nats }) =>
    withDatabase((url) =>
      withNatsTap(nats, async (heard) => {
        const hosts: Host[] = [];
        const start: Scene['start'] = async (name, env = {}) => {
          const given = { SVC_PORT: '0', SVC_NAME: name, DATABASE_URL: url, NATS_URL: nats, ...env };
          const host = await startHost(await loadService(orders), readConfig(given));
          hosts.push(host);
          return host;
        };
        try {
          await body({ url, heard, start, nats });
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

const published = (heard: readonly TappedMessage[], prefix = 'svc.'): TappedMessage[] =>
  heard.filter(({ subject, isDelivery }) => subject.startsWith(prefix) && !isDelivery);
/** What is told beside the log: nothing of it is stored. */
const notices = ['svc.system.HostStatus', 'svc.system.ChainHead'];
const ofTheLog = (heard: readonly TappedMessage[]): TappedMessage[] =>
  published(heard).filter(({ subject }) => !notices.includes(subject));
const ofSystem = (heard: readonly TappedMessage[]): TappedMessage[] =>
  ofTheLog(heard).filter(({ subject }) => !subject.startsWith('svc.events.'));
const idsOf = (heard: readonly TappedMessage[]): (string | undefined)[] => heard.map(({ id }) => id);

test('local-only is provable: by default not one byte of a system event crosses the broker', () =>
  withScene(async ({ url, heard, start }) => {
    const host = await start('north');
    for (let n = 0; n < 30; n++) await order(host.url);
    await drained(url);
    const stored = await rowsOf(url, 'SELECT event_id FROM svc_events ORDER BY global_position');
    await until(() => published(heard).length === 30);
    assert.equal(
      idsOf(published(heard)),
      stored.map(([id]) => id),
    );
    assert.equal(
      new Set(published(heard).map(({ subject }) => subject)),
      new Set(['svc.events.OrderCreated']),
    );
    for (const { subject } of heard.filter((one) => !one.subject.startsWith('svc.events.')))
      assert.match(subject, /^(?:\$JS|_INBOX)\./);
    const records = await rowsOf(url, 'SELECT event_id, event_type FROM svc_system_events');
    assert.ok(records.length >= 60);
    const crossed = Buffer.concat(heard.map(({ bytes }) => bytes)).toString('latin1');
    for (const [id = '', type = ''] of records) assert.not(crossed.includes(id) || crossed.includes(type));
  }));

test('with SVC_BROADCAST=1 every system event crosses it, each once and in the order of the stream', () =>
  withScene(async ({ url, heard, start }) => {
    const host = await start('north', { SVC_BROADCAST: '1' });
    for (let n = 0; n < 30; n++) await order(host.url);
    await drained(url);
    const stored = await rowsOf(url, 'SELECT event_id FROM svc_system_events ORDER BY stream_position');
    assert.ok(stored.length >= 60);
    await until(() => ofSystem(heard).length >= stored.length);
    assert.equal(
      idsOf(ofSystem(heard)),
      stored.map(([id]) => id),
    );
    assert.is(ofTheLog(heard).length - stored.length, 30, 'and every domain event');
  }));

test('of two hosts on one store each decides about what it writes, whoever of them relays', () =>
  withScene(async ({ url, heard, start }) => {
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
    const told = await rowsOf(
      url,
      "SELECT event_id FROM svc_system_events WHERE host = 'south' ORDER BY stream_position",
    );
    await until(() => ofSystem(heard).length >= told.length);
    assert.equal(
      idsOf(ofSystem(heard)),
      told.map(([id]) => id),
    );
    assert.is(published(heard, 'svc.events.').length, 5);
  }));

test.run();
