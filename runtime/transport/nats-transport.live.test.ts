import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { decodeMessage } from '../envelope/message-format.js';
import { withOperator, withTransport } from '../testing/nats-connections.js';
import { withNatsServer } from '../testing/nats-server.js';
import { isReachable, withNatsTransport } from '../testing/reachable.js';
import { withEmptyNats } from '../testing/shared-nats.js';
import {
  aMessage,
  aType,
  failureOf,
  idsOf,
  Inbox,
  positionsOf,
  transportContract,
} from '../kit/transport-contract.js';
import { until } from '../kit/until.js';
import { natsTransport } from './nats-transport.js';

const test = suite('nats transport');

test('the first connection creates the streams: in files, for a week, without duplicates within two minutes', () =>
  withTransport((_, url) =>
    withOperator(url, async (operator) => {
      const { streams } = await operator.jetstreamManager();
      for (const [name, subjects] of [
        ['SVC_EVENTS', ['svc.events.>']],
        ['SVC_SYSTEM', ['svc.system.>', 'svc.core.auditevents']],
      ] as const) {
        const { config } = await streams.info(name);
        assert.equal(config.subjects, subjects);
        assert.equal([config.storage, config.discard, config.max_bytes], ['file', 'old', -1]);
        assert.equal([config.max_age / 1e9, config.duplicate_window / 1e9], [7 * 24 * 3_600, 120]);
      }
    }),
  ));

test('a stream that an operator configured is not changed', () =>
  withEmptyNats((url) =>
    withOperator(url, async (operator) => {
      const { streams } = await operator.jetstreamManager();
      await streams.add({ name: 'SVC_EVENTS', subjects: ['svc.events.>'], max_msgs: 7 });
      await withNatsTransport(url, (transport) => transport.publish(aMessage()));
      const { config, state } = await streams.info('SVC_EVENTS');
      assert.equal([config.max_msgs, config.max_age, state.messages], [7, 0, 1]);
    }),
  ));

test('a host publishes CloudEvents when it is set to, and its content type arrives with them', () =>
  withTransport(async (_, url) => {
    const transport = natsTransport({ url, name: 'south', format: 'cloudevents' });
    try {
      await until(() => isReachable(transport));
      const message = aMessage();
      const inbox = new Inbox([message.destination]);
      transport.subscribe(inbox);
      await transport.publish(message);
      const [arrived] = await inbox.holds(1);
      const type = arrived?.header('content-type');
      assert.is(type, 'application/cloudevents+json');
      const { messageId, payload } = decodeMessage(arrived?.body ?? Buffer.alloc(0), type) as StoredEvent;
      assert.equal([messageId, payload], [message.envelope.messageId, message.envelope.payload]);
    } finally {
      await transport.close();
    }
  }));

test('a message that is published twice is stored once', () =>
  withTransport(async (transport) => {
    const message = aMessage();
    const inbox = new Inbox([message.destination]);
    transport.subscribe(inbox);
    await transport.publish(message);
    await transport.publish(message);
    const last = { ...aMessage(), destination: message.destination };
    await transport.publish(last);
    assert.equal(idsOf(await inbox.holds(2)), [message.id, last.id]);
  }));

test('messages published without waiting arrive in the order of the calls', () =>
  withTransport(async (transport) => {
    const type = aType();
    const inbox = new Inbox([`svc.events.${type}`]);
    transport.subscribe(inbox);
    await Promise.all(Array.from({ length: 3_000 }, (_, n) => transport.publish(aMessage(type, n))));
    assert.equal(
      positionsOf(await inbox.holds(3_000)),
      Array.from({ length: 3_000 }, (_, n) => n),
    );
  }));

test('arbitrary bytes arrive unchanged', () =>
  withTransport((transport, url) =>
    withOperator(url, async (operator) => {
      const subject = `svc.events.${aType()}`;
      const inbox = new Inbox([subject]);
      transport.subscribe(inbox);
      await operator.jetstream().publish(subject, 'garbage');
      const [arrived] = await inbox.holds(1);
      assert.is(Buffer.from(arrived?.body ?? []).toString(), 'garbage');
      assert.is(arrived?.header('svc-store'), undefined);
    }),
  ));

test('a message over the limit is rejected immediately, and others continue', () =>
  withTransport(async (transport) => {
    const refusal = await failureOf(transport.publish(aMessage('Baked', 1, { text: 'x'.repeat(2_000_000) })));
    assert.ok(refusal instanceof Problem && refusal.code === 'message-too-large');
    await transport.publish(aMessage());
  }));

test('a message that the stream does not accept is rejected with the reason of the broker', () =>
  withEmptyNats((url) =>
    withOperator(url, async (operator) => {
      const { streams } = await operator.jetstreamManager();
      await streams.add({ name: 'SVC_EVENTS', subjects: ['svc.events.>'], max_msg_size: 1_000 });
      await withNatsTransport(url, async (transport) => {
        const refusal = await failureOf(transport.publish(aMessage('Baked', 1, 'x'.repeat(2_000))));
        assert.ok(refusal instanceof Problem && refusal.code === 'message-too-large');
        assert.match(refusal.detail ?? '', 'exceeds maximum allowed');
        const broken = { ...aMessage(), destination: 'svc.events.Baked', id: 'a\r\nb' };
        const refused = await failureOf(transport.publish(broken));
        assert.ok(refused instanceof Problem && refused.code === 'message-refused');
      });
    }),
  ));

test('the user and the password of the URL are sent to the broker', () =>
  withNatsServer(
    async ({ url }) => {
      const asUser = Object.assign(new URL(url), { username: 'ada', password: 'p%40ss' }).href;
      await withNatsTransport(asUser, (transport) => transport.publish(aMessage()));
      const stranger = natsTransport({ url, name: 'stranger' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.not(await isReachable(stranger));
      await stranger.close();
    },
    ['--user', 'ada', '--pass', 'p@ss'],
  ));

const contract = suite('nats transport, by its contract');
transportContract(contract, withTransport);
