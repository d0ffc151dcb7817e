import { AckPolicy, connect, type NatsConnection } from 'nats';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Problem } from '../../contracts/problems.js';
import type { OutboundMessage, Transport } from '../../contracts/transport.js';
import { decodeMessage } from '../message-format.js';
import { loginTo } from '../testing/nats-login.js';
import { withNatsServer } from '../testing/nats-server.js';
import { isReachable, withNatsTransport } from '../testing/reachable.js';
import { withEmptyNats, withNats } from '../testing/shared-nats.js';
import {
  aMessage,
  aType,
  failureOf,
  idsOf,
  Inbox,
  positionsOf,
  transportContract,
} from '../testing/transport-contract.js';
import { until } from '../testing/until.js';
import { natsTransport } from './nats-transport.js';

const test = suite('nats transport');

const withTransport = (body: (transport: Transport, url: string) => Promise<void>): Promise<void> =>
  withNats((url) => withNatsTransport(url, (transport) => body(transport, url)));

async function withRaw(url: string, body: (raw: NatsConnection) => Promise<void>): Promise<void> {
  const raw = await connect(loginTo(url));
  try {
    await body(raw);
  } finally {
    await raw.close();
  }
}

test('the first connection creates the streams: in files, for a week, without duplicates within two minutes', () =>
  withTransport((_, url) =>
    withRaw(url, async (raw) => {
      const { streams } = await raw.jetstreamManager();
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
    withRaw(url, async (raw) => {
      const { streams } = await raw.jetstreamManager();
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

test('a subscription of the same name resumes where it stopped, whatever was published meanwhile', () =>
  withTransport(async (transport) => {
    const type = aType();
    const [before, after] = ['x', 'y'].map(
      () => new Inbox([`svc.events.${type}`], undefined, `name ${type}`),
    );
    assert.ok(before && after);
    const subscription = transport.subscribe(before);
    for (let n = 1; n <= 5; n++) await transport.publish(aMessage(type, n));
    await before.holds(5);
    await subscription.stop();
    for (let n = 6; n <= 10; n++) await transport.publish(aMessage(type, n));
    transport.subscribe(after);
    assert.equal(positionsOf(await after.holds(5)), [6, 7, 8, 9, 10]);
  }));

test('a message that was postponed when a subscription stopped is the first for the next one', () =>
  withTransport(async (transport) => {
    const type = aType();
    const subjects = [`svc.events.${type}`];
    const name = `name ${type}`;
    let putOff = 0;
    const stuck = new Inbox(subjects, () => (putOff++, { redeliverInMs: 60_000 }), name);
    const subscription = transport.subscribe(stuck);
    for (let n = 1; n <= 5; n++) await transport.publish(aMessage(type, n));
    await until(() => putOff > 0);
    await subscription.stop();
    const next = new Inbox(subjects, undefined, name);
    transport.subscribe(next);
    assert.equal(positionsOf(await next.holds(5)), [1, 2, 3, 4, 5]);
  }));

test('a failed batch is retried, in order', () =>
  withTransport(async (transport) => {
    const type = aType();
    let failures = 0;
    const inbox = new Inbox([`svc.events.${type}`], () => {
      if (failures++ === 0) throw new RangeError('burnt');
      return 'done';
    });
    transport.subscribe(inbox);
    for (let n = 1; n <= 3; n++) await transport.publish(aMessage(type, n));
    assert.equal(positionsOf(await inbox.holds(3)), [1, 2, 3]);
  }));

test('a slow subscriber keeps its messages, however long it takes', () =>
  withTransport(async (transport) => {
    const message = aMessage();
    const deliveries: number[] = [];
    const inbox = new Inbox([message.destination], async ({ delivery }) => {
      deliveries.push(delivery);
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      return 'done' as const;
    });
    transport.subscribe(inbox);
    await transport.publish(message);
    await inbox.holds(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(deliveries, [1]);
  }));

test('a consumer with new subjects is widened, never narrowed', () =>
  withTransport(async (transport) => {
    const [bread, cake] = [aType(), aType()];
    const name = `name ${bread}`;
    const [first, second, third] = [[bread], [bread, cake], [bread]].map(
      (types) =>
        new Inbox(
          types.map((type) => `svc.events.${type}`),
          undefined,
          name,
        ),
    );
    assert.ok(first && second && third);
    const hears = async (inbox: Inbox, count: number, ...types: string[]) => {
      const subscription = transport.subscribe(inbox);
      await until(() => subscription.isUp);
      for (const type of types) await transport.publish(aMessage(type));
      assert.is((await inbox.holds(count)).length, count);
      await subscription.stop();
    };
    await hears(first, 1, bread);
    await hears(second, 2, bread, cake);
    await hears(third, 1, cake, bread);
  }));

test('the broker deletes a consumer that is unused for a week', () =>
  withTransport((transport, url) =>
    withRaw(url, async (raw) => {
      const { consumers } = await raw.jetstreamManager();
      const thresholdOf = async (name: string) =>
        (await consumers.info('SVC_EVENTS', name)).config.inactive_threshold ?? 0;
      const [week, second] = [7 * 24 * 3_600 * 1e9, 1e9];
      const message = aMessage();
      const subjects = [message.destination];
      const old = `old-${aType()}`;
      await consumers.add('SVC_EVENTS', {
        durable_name: old,
        ack_policy: AckPolicy.Explicit,
        ack_wait: 3 * second,
        max_ack_pending: 1_024,
        filter_subject: message.destination,
      });
      const [renamed, known] = [`renamed-${aType()}`, old].map(
        (name) => new Inbox(subjects, undefined, name),
      );
      assert.ok(renamed && known);
      const subscriptions = [renamed, known].map((inbox) => transport.subscribe(inbox));
      await transport.publish(message);
      await Promise.all([renamed.holds(1), known.holds(1)]);
      assert.equal(await Promise.all([renamed.name, old].map(thresholdOf)), [week, week]);
      assert.is((await consumers.info('SVC_EVENTS', old)).config.filter_subject, message.destination);

      for (const subscription of subscriptions) await subscription.stop();
      await consumers.update('SVC_EVENTS', renamed.name, { inactive_threshold: second });
      await until(async () => (await failureOf(consumers.info('SVC_EVENTS', renamed.name))) !== undefined);
      assert.is(await thresholdOf(old), week);
    }),
  ));

test('messages removed before they were handled are reported, those removed afterwards are not', () =>
  withEmptyNats((url) =>
    withRaw(url, (raw) =>
      withNatsTransport(url, async (transport) => {
        const [bread, cake] = [aType(), aType()];
        const subjects = [`svc.events.${bread}`, `svc.events.${cake}`];
        const first = new Inbox(subjects);
        const subscription = transport.subscribe(first);
        for (let n = 1; n <= 3; n++) await transport.publish(aMessage(bread, n));
        await first.holds(3);
        await subscription.stop();
        const { streams } = await raw.jetstreamManager();
        await streams.update('SVC_EVENTS', { max_msgs: 2 });
        const same = new Inbox(subjects, undefined, first.name);
        const again = transport.subscribe(same);
        await transport.publish(aMessage(cake, 4));
        await same.holds(1);
        assert.equal([again.losses?.count, again.losses?.text], [0, undefined]);
        await again.stop();
        for (let n = 5; n <= 10; n++) await transport.publish(aMessage(bread, n));
        const late = new Inbox(subjects, undefined, first.name);
        const behind = transport.subscribe(late);
        assert.equal(positionsOf(await late.holds(2)), [9, 10]);
        assert.is(behind.losses?.count, 4);
        assert.match(
          behind.losses?.text ?? '',
          /^The broker removed 4 messages before they were handled\. Run svc outbox republish/,
        );
      }),
    ),
  ));

test('a stream that is deleted under a subscription and created again is noticed, and the subscription continues', () =>
  withEmptyNats((url) =>
    withRaw(url, (raw) =>
      withNatsTransport(url, async (transport) => {
        const message = aMessage();
        const inbox = new Inbox([message.destination]);
        const subscription = transport.subscribe(inbox);
        await transport.publish(message);
        await inbox.holds(1);
        await (await raw.jetstreamManager()).streams.delete('SVC_EVENTS');
        await until(() => (subscription.losses?.count ?? 0) > 0);
        assert.match(subscription.losses?.text ?? '', 'was deleted and created again');
        await until(() => isPublished(transport, { ...aMessage(), destination: message.destination }));
        await inbox.holds(2);
      }),
    ),
  ));

const isPublished = (transport: Transport, message: OutboundMessage): Promise<boolean> =>
  transport.publish(message).then(
    () => true,
    () => false,
  );

test('arbitrary bytes arrive unchanged', () =>
  withTransport((transport, url) =>
    withRaw(url, async (raw) => {
      const subject = `svc.events.${aType()}`;
      const inbox = new Inbox([subject]);
      transport.subscribe(inbox);
      await raw.jetstream().publish(subject, 'garbage');
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
    withRaw(url, async (raw) => {
      const { streams } = await raw.jetstreamManager();
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

test.run();

const contract = suite('nats transport, by its contract');
transportContract(contract, withTransport);
contract.run();
