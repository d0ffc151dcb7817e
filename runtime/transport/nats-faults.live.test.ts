import { connect } from 'nats';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Transport, TransportUnreachable } from '../../contracts/transport.js';
import { loginTo } from '../testing/nats-login.js';
import { type NatsServer, withNatsServer } from '../testing/nats-server.js';
import { RawNats } from '../testing/raw-nats.js';
import { isReachable, withNatsTransport } from '../testing/reachable.js';
import { withEmptyNats } from '../testing/shared-nats.js';
import { aMessage, aType, failureOf, Inbox, positionsOf } from '../kit/transport-contract.js';
import { durationOf, until } from '../kit/until.js';
import { natsTransport } from './nats-transport.js';

const test = suite('nats transport under faults');

/** An outage is noticed within 3 s, and so is the return. */
const noticedMs = 3_000;

interface Scene {
  readonly server: NatsServer;
  readonly transport: Transport;
}

/** With a separate broker, to stop it. */
const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withNatsServer((server) => withNatsTransport(server.url, (transport) => body({ server, transport })));

const withRunningBroker = (body: (url: string, transport: Transport) => Promise<void>): Promise<void> =>
  withEmptyNats((url) => withNatsTransport(url, (transport) => body(url, transport)));

/** Like the relay: in order, with retries while the broker is down. */
async function publishAll(transport: Transport, type: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const message = aMessage(type, n);
    for (let failure; (failure = await failureOf(transport.publish(message))) !== undefined;) {
      assert.instance(failure, TransportUnreachable);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** The first delivery of every message, in order of arrival. */
const firstDeliveries = (inbox: Inbox): number[] => [...new Set(positionsOf(inbox.arrived))];

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

test('the broker may start after the host', () =>
  withNatsServer(async (server) => {
    await server.stop();
    const transport = natsTransport({ url: server.url, name: 'north' });
    const type = aType();
    const inbox = new Inbox([`svc.events.${type}`]);
    const subscription = transport.subscribe(inbox);
    assert.instance(await failureOf(transport.publish(aMessage())), TransportUnreachable);
    assert.not(subscription.isUp);
    // Longer than the first pause: a second attempt to connect has failed as well.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await server.start();
    await until(() => subscription.isUp);
    await publishAll(transport, type, 3);
    await inbox.holds(3);
    await transport.close();
  }));

test('a host that stops while the broker is down does not wait for it', () =>
  withScene(async ({ server, transport }) => {
    transport.subscribe(new Inbox(['svc.events.>']));
    await server.stop();
    assert.ok((await durationOf(transport.close())) < 3_000);
  }));

test('a broker that dies is noticed within 3 s, and so is its return; nothing is lost, and the order is kept', () =>
  withScene(async ({ server, transport }) => {
    const type = aType();
    const inbox = new Inbox([`svc.events.${type}`]);
    const subscription = transport.subscribe(inbox);
    await until(() => subscription.isUp);
    const published = publishAll(transport, type, 2_000);
    for (const share of [300, 900, 1_500]) {
      await inbox.holds(share);
      await server.stop('SIGKILL');
      await until(() => !subscription.isUp, noticedMs);
      assert.not(await isReachable(transport));
      await server.start();
      await until(() => isReachable(transport), noticedMs);
    }
    await published;
    await until(() => firstDeliveries(inbox).length === 2_000, 60_000);
    assert.equal(firstDeliveries(inbox), upTo(2_000));
  }));

test('a frozen broker is noticed within 3 s; messages in flight are not blocked', () =>
  withScene(async ({ server, transport }) => {
    const inbox = new Inbox(['svc.events.>']);
    const subscription = transport.subscribe(inbox);
    await until(() => subscription.isUp);
    await server.freeze();
    const sent = failureOf(
      Promise.all(Array.from({ length: 50 }, (_, n) => transport.publish(aMessage('B', n)))),
    );
    const took = await until(() => !subscription.isUp, noticedMs);
    assert.ok(took < noticedMs);
    assert.instance(await sent, TransportUnreachable);
    assert.not(await isReachable(transport));
    server.resume();
    await until(() => subscription.isUp, 2 * noticedMs);
    await transport.publish(aMessage());
  }));

test('a broker that has lost its store gets its streams again, and subscriptions resume', () =>
  withScene(async ({ server, transport }) => {
    const type = aType();
    const inbox = new Inbox([`svc.events.${type}`]);
    const subscription = transport.subscribe(inbox);
    await publishAll(transport, type, 3);
    await inbox.holds(3);
    await server.stop();
    server.forget();
    await server.start();
    await until(() => subscription.isUp);
    await transport.publish(aMessage(type, 4));
    assert.equal(positionsOf(await inbox.holds(4)), [1, 2, 3, 4]);
  }));

test('a consumer or a stream that an operator deletes is created again', () =>
  withRunningBroker(async (url, transport) => {
    const type = aType();
    const inbox = new Inbox([`svc.events.${type}`], undefined, 'shop');
    transport.subscribe(inbox);
    await publishAll(transport, type, 2);
    await inbox.holds(2);
    const operator = await connect(loginTo(url));
    const { consumers, streams } = await operator.jetstreamManager();
    await consumers.delete('SVC_EVENTS', 'shop');
    await publishAll(transport, type, 3);
    await until(() => firstDeliveries(inbox).length === 3);
    await streams.delete('SVC_EVENTS');
    await publishAll(transport, type, 4);
    await until(() => firstDeliveries(inbox).length === 4);
    await operator.close();
  }));

test('messages of a dead subscriber are redelivered before anything newer', () =>
  withRunningBroker(async (url, transport) => {
    const type = aType();
    const newInbox = () => new Inbox([`svc.events.${type}`], undefined, 'shop');
    const first = transport.subscribe(newInbox());
    await until(() => first.isUp);
    await first.stop();
    await publishAll(transport, type, 3);
    const dying = await connect(loginTo(url));
    const taken = await (
      await dying.jetstream().consumers.get('SVC_EVENTS', 'shop')
    ).fetch({ max_messages: 3 });
    for await (const message of taken) assert.ok(message.seq);
    await dying.close();
    for (let n = 4; n <= 6; n++) await transport.publish(aMessage(type, n));
    const inbox = newInbox();
    transport.subscribe(inbox);
    assert.equal(positionsOf(await inbox.holds(6)), upTo(6));
  }));

test('a forged acknowledgement changes nothing', () =>
  withRunningBroker(async (url, transport) => {
    const forger = await RawNats.connect(url);
    let forged = 0;
    forger.repliesTo('svc.>', (reply) => {
      forger.publish(reply, Buffer.from('no JSON'));
      forger.publish(reply, Buffer.alloc(0), 'NATS/1.0\r\nno key: x');
      forged++;
    });
    await forger.flush();
    for (let n = 0; n < 20; n++) await transport.publish(aMessage());
    await until(() => forged === 20);
    await forger.flush();
    for (let n = 0; n < 20; n++) await transport.publish(aMessage());
    forger.close();
  }));
