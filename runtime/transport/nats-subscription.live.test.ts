import { AckPolicy } from 'nats';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { OutboundMessage, Transport } from '../../contracts/transport.js';
import { withOperator, withTransport } from '../testing/nats-connections.js';
import { withNatsTransport } from '../testing/reachable.js';
import { withEmptyNats } from '../testing/shared-nats.js';
import { ackWaitMs } from './nats-consumer.js';
import { aMessage, aType, failureOf, Inbox, positionsOf } from '../kit/transport-contract.js';
import { until } from '../kit/until.js';

const test = suite('nats subscription');

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

test('messages that are handled for longer than a lease are the first for the next subscription', () =>
  withTransport(async (transport) => {
    const type = aType();
    const subjects = [`svc.events.${type}`];
    const name = `name ${type}`;
    let isLeased = true;
    let begun = 0;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const hanging = Object.assign(
      new Inbox(subjects, () => (begun++, ended.then(() => ({ redeliverInMs: 0 }))), name),
      { leaseRemainingMs: () => (isLeased ? 60_000 : 0) },
    );
    const subscription = transport.subscribe(hanging);
    for (let n = 1; n <= 3; n++) await transport.publish(aMessage(type, n));
    await until(() => begun > 0);
    isLeased = false;
    for (let n = 4; n <= 5; n++) await transport.publish(aMessage(type, n));
    const next = new Inbox(subjects, undefined, name);
    transport.subscribe(next);
    try {
      assert.equal(positionsOf(await next.holds(5)), [1, 2, 3, 4, 5]);
    } finally {
      end();
      await subscription.stop();
    }
  }));

test('no request for messages outlives the lease', () =>
  withTransport((transport, url) =>
    withOperator(url, async (operator) => {
      const durable = `leased-${aType()}`;
      const expiries: number[] = [];
      operator.subscribe(`$JS.API.CONSUMER.MSG.NEXT.SVC_EVENTS.${durable}`, {
        callback: (_, { data }) =>
          void expiries.push((JSON.parse(Buffer.from(data).toString()) as { expires: number }).expires / 1e6),
      });
      await operator.flush();
      const inbox = new Inbox([`svc.events.${aType()}`], undefined, durable);
      transport.subscribe(Object.assign(inbox, { leaseRemainingMs: () => 300 }));
      await until(() => expiries.length > 1);
      assert.equal([...new Set(expiries)], [300]);
    }),
  ));

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
      await new Promise((resolve) => setTimeout(resolve, ackWaitMs + 500));
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
    const receives = async (inbox: Inbox, count: number, ...types: string[]) => {
      const subscription = transport.subscribe(inbox);
      await until(() => subscription.isUp);
      for (const type of types) await transport.publish(aMessage(type));
      assert.is((await inbox.holds(count)).length, count);
      await subscription.stop();
    };
    await receives(first, 1, bread);
    await receives(second, 2, bread, cake);
    await receives(third, 1, cake, bread);
  }));

test('the broker deletes a consumer that is unused for a week', () =>
  withTransport((transport, url) =>
    withOperator(url, async (operator) => {
      const { consumers } = await operator.jetstreamManager();
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
    withOperator(url, (operator) =>
      withNatsTransport(url, async (transport) => {
        const [bread, cake] = [aType(), aType()];
        const subjects = [`svc.events.${bread}`, `svc.events.${cake}`];
        const first = new Inbox(subjects);
        const subscription = transport.subscribe(first);
        for (let n = 1; n <= 3; n++) await transport.publish(aMessage(bread, n));
        await first.holds(3);
        await subscription.stop();
        const { streams } = await operator.jetstreamManager();
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
    withOperator(url, (operator) =>
      withNatsTransport(url, async (transport) => {
        const message = aMessage();
        const inbox = new Inbox([message.destination]);
        const subscription = transport.subscribe(inbox);
        await transport.publish(message);
        await inbox.holds(1);
        await (await operator.jetstreamManager()).streams.delete('SVC_EVENTS');
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
