import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { messageListener } from '../../runtime/testing/message-listener.js';
import type { OutboundMessage } from '../../contracts/transport.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from './host.js';
import { createOrder } from '../testing/order-load.js';
import { until } from '../../runtime/kit/until.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('host outbox');

interface Scene {
  readonly host: Host;
  readonly url: string;
  readonly received: OutboundMessage[];
}

/** The orders example as a host, and all messages that its transport carries. */
const withHost = (
  env: Record<string, string>,
  body: (scene: Scene) => Promise<void>,
  refuses: (message: OutboundMessage) => boolean = () => false,
): Promise<void> =>
  withStore(async (url) => {
    const received: OutboundMessage[] = [];
    const transport = new InProcessTransport();
    transport.subscribe(
      messageListener('>', (message) => {
        if (refuses(message)) throw new RangeError('no place for it');
        received.push(message);
      }),
    );
    const config = readConfig({ SVC_PORT: '0', SVC_NAME: 'north', DATABASE_URL: url, ...env });
    const host = await startHost(ordersAlone, config, transport);
    try {
      await body({ host, url, received });
    } finally {
      await host.stop();
    }
  });

async function drained(url: string): Promise<void> {
  const left = `SELECT svc_head() - (SELECT position FROM svc_progress WHERE name = 'outbox')`;
  await until(async () => (await rowsOf(url, left))[0]?.[0] === '0');
}

const countByDestination = (received: readonly OutboundMessage[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { destination } of received) counts[destination] = (counts[destination] ?? 0) + 1;
  return counts;
};

test('local-only: domain events reach the transport, system records never do', () =>
  withHost({ SVC_AUDIT: 'all' }, async ({ host, url, received }) => {
    for (let n = 0; n < 20; n++) assert.is((await createOrder(host.url)).status, 200);
    await drained(url);
    assert.equal(countByDestination(received), { 'svc.events.OrderCreated': 20 });
    const [stored] = await rowsOf(url, 'SELECT count(*) >= 40, bool_or(publish) FROM svc_system_events');
    assert.equal(stored, ['true', 'false']);
    assert.equal(await rowsOf(url, 'SELECT * FROM svc_outbox_pending'), []);
  }));

test('broadcast: every system record reaches the transport, each once, in the order of the stream', () =>
  withHost({ SVC_AUDIT: 'all', SVC_BROADCAST: '1' }, async ({ host, url, received }) => {
    for (let n = 0; n < 20; n++) assert.is((await createOrder(host.url)).status, 200);
    await drained(url);
    const stored = await rowsOf(url, 'SELECT event_id FROM svc_system_events ORDER BY stream_position');
    const unstored = ['svc.system.ChainHead', 'svc.system.HostStatus'];
    const published = received.filter(
      ({ destination }) => !destination.startsWith('svc.events.') && !unstored.includes(destination),
    );
    assert.equal(
      published.map(({ id }) => [id]),
      stored,
    );
    assert.is(countByDestination(received)['svc.core.auditevents'], 40);
  }));

test('a message carries its origin', () =>
  withHost({}, async ({ host, url, received }) => {
    await createOrder(host.url);
    await drained(url);
    const [message] = received;
    const [[store] = []] = await rowsOf(url, 'SELECT id FROM svc_store');
    assert.equal([message?.envelope.host, message?.envelope.store], ['north', store]);
  }));

test('records of a local-only host stay local when the host broadcasts later', () =>
  withStore(async (url) => {
    const received: string[] = [];
    for (const broadcast of ['0', '1']) {
      const transport = new InProcessTransport();
      transport.subscribe(messageListener('svc.core.auditevents', ({ id }) => void received.push(id)));
      const env = { SVC_PORT: '0', DATABASE_URL: url, SVC_BROADCAST: broadcast, SVC_AUDIT: 'commands' };
      const host = await startHost(ordersAlone, readConfig(env), transport);
      await createOrder(host.url);
      if (broadcast === '1') await drained(url);
      await host.stop();
    }
    const published = await rowsOf(
      url,
      "SELECT event_id FROM svc_system_events WHERE publish AND event_type = 'CommandAudited'",
    );
    assert.equal(published, [received]);
  }));

test('a message that is rejected for good is recorded in the system stream, and the host keeps serving', () => {
  let first: string | undefined;
  const isFirst = ({ envelope }: OutboundMessage) =>
    envelope.messageType === 'OrderCreated' && (first ??= envelope.messageId) === envelope.messageId;
  return withHost(
    { SVC_AUDIT: 'all', SVC_BROADCAST: '1' },
    async ({ host, url, received }) => {
      await createOrder(host.url);
      await createOrder(host.url);
      await drained(url);
      const dead = await rowsOf(url, 'SELECT message_type, attempts FROM svc_dead_letters');
      assert.ok(
        dead.length > 0 && dead.every(([type, attempts]) => type === 'OrderCreated' && attempts === '5'),
      );
      const recorded = () =>
        rowsOf(url, "SELECT 1 FROM svc_system_stream WHERE event_type = 'MessageDeadLettered'");
      // They are recorded in the background.
      await until(async () => (await recorded()).length >= dead.length);
      assert.is((await recorded()).length, dead.length);
      await drained(url);
      assert.is(countByDestination(received)['svc.system.MessageDeadLettered'], dead.length);
    },
    isFirst,
  );
});
