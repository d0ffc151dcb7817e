import assert from 'node:assert/strict';
import type { StoredEvent } from '../../contracts/event-store.js';
import {
  type InboundMessage,
  type OutboundMessage,
  type SubscriptionRequest,
  type Acknowledgement,
  type Transport,
  TransportUnreachable,
} from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import { decodeBytes } from '../envelope/envelope-codec.js';
import { outboundHeaders } from '../transport/outbound-headers.js';
import { contractRules, type WithSubject, type RunnerTest } from './contract-rules.js';
import { until } from './until.js';

/** The contract of every transport; each rule gets a reachable one. */
export function transportContract(test: RunnerTest, withTransport: WithSubject<Transport>): void {
  const rule = contractRules(test, withTransport);

  rule('a message arrives with its subject, its envelope and its headers', async (transport) => {
    const message = aMessage();
    const inbox = new Inbox([message.destination]);
    transport.subscribe(inbox);
    await transport.publish(message);
    const [arrived] = await inbox.holds(1);
    assert.ok(arrived);
    assert.equal(arrived.subject, message.destination);
    assert.deepEqual(decodeBytes(arrived.body), message.envelope);
    for (const [header, value] of Object.entries(outboundHeaders(message)))
      assert.equal(arrived.header(header), value, header);
    assert.equal(arrived.header('svc-unheard-of'), undefined);
    assert.equal(arrived.delivery, 1);
  });

  rule('messages arrive in the order in which they were published', async (transport) => {
    const type = aType();
    const inbox = new Inbox([`svc.events.${type}`]);
    transport.subscribe(inbox);
    const sent = Array.from({ length: 500 }, (_, n) => aMessage(type, n));
    for (const message of sent) await transport.publish(message);
    assert.deepEqual(
      idsOf(await inbox.holds(500)),
      sent.map(({ id }) => id),
    );
  });

  rule('each subscription gets what matches one of its patterns, and nothing else', async (transport) => {
    const [bread, cake] = [aType(), aType()];
    const both = new Inbox([`svc.events.${bread}`, `svc.events.${cake}`]);
    const one = new Inbox([`svc.events.${cake}`]);
    for (const inbox of [both, one]) transport.subscribe(inbox);
    const sent = [aMessage(bread), aMessage(cake), aMessage(), aMessage(bread), aMessage(cake)];
    for (const message of sent) await transport.publish(message);
    const [first, second, , fourth, fifth] = sent.map(({ id }) => id);
    assert.deepEqual(idsOf(await both.holds(4)), [first, second, fourth, fifth]);
    assert.deepEqual(idsOf(await one.holds(2)), [second, fifth]);
  });

  rule('a postponed message is redelivered before the ones after it', async (transport) => {
    const type = aType();
    const tries: [number, number][] = [];
    const answer = ({ body, delivery }: InboundMessage): Acknowledgement => {
      const { streamPosition } = decodeBytes(body) as StoredEvent;
      tries.push([streamPosition, delivery]);
      return streamPosition === 2 && delivery < 3 ? { redeliverInMs: 50 } : 'done';
    };
    const inbox = new Inbox([`svc.events.${type}`], answer);
    transport.subscribe(inbox);
    for (let n = 1; n <= 3; n++) await transport.publish(aMessage(type, n));
    const arrived = await inbox.holds(3);
    assert.deepEqual(positionsOf(arrived), [1, 2, 3]);
    assert.deepEqual(
      tries.filter(([position]) => position === 2).map(([, delivery]) => delivery),
      [1, 2, 3],
    );
  });

  rule('a subscription is up until it is stopped, and receives nothing afterwards', async (transport) => {
    const message = aMessage();
    const inbox = new Inbox([message.destination]);
    const subscription = transport.subscribe(inbox);
    await until(() => subscription.isUp);
    assert.equal(subscription.name, inbox.name);
    await subscription.stop();
    assert.ok(!subscription.isUp);
    await transport.publish(message);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(inbox.arrived, []);
    await subscription.stop();
  });

  rule('a ping succeeds only while the transport is reachable', async (transport) => {
    await transport.ping();
    await transport.close();
    assert.ok((await failureOf(transport.ping())) instanceof TransportUnreachable);
    assert.ok((await failureOf(transport.publish(aMessage()))) instanceof TransportUnreachable);
    await transport.close();
  });
}

/** A subscription that keeps what it received. */
export class Inbox implements SubscriptionRequest {
  readonly arrived: InboundMessage[] = [];

  constructor(
    readonly subjects: readonly string[],
    private readonly answer: (message: InboundMessage) => Acknowledgement | Promise<Acknowledgement> = () =>
      'done',
    readonly name = `inbox ${newUuid()}`,
  ) {}

  async handle(batch: readonly InboundMessage[]): Promise<Acknowledgement[]> {
    const answers: Acknowledgement[] = [];
    for (const message of batch) {
      const answer = await this.answer(message);
      answers.push(answer);
      if (answer !== 'done') return [...answers, ...batch.slice(answers.length).map(() => answer)];
      this.arrived.push(message);
    }
    return answers;
  }

  async holds(count: number, withinMs = 20_000): Promise<readonly InboundMessage[]> {
    await until(() => this.arrived.length >= count, withinMs);
    return this.arrived;
  }
}

export const aType = (): string => `Baked${newUuid().replaceAll('-', '')}`;

export function aMessage(messageType = aType(), streamPosition = 1, payload: unknown = {}): OutboundMessage {
  const at = '2026-01-01T00:00:00.000000Z';
  const id = newUuid();
  return {
    destination: `svc.events.${messageType}`,
    id,
    envelope: {
      messageId: id,
      messageType,
      payload,
      streamId: '018f0000-0000-7000-8000-0000000000bb',
      streamPosition,
      globalPosition: streamPosition,
      timestamp: at,
      occurredAt: at,
      recordedAt: at,
      correlationId: 'monday',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
      host: 'north',
      store: '018f0000-0000-7000-8000-0000000000ff',
      v: 1,
    },
  };
}

export const idsOf = (arrived: readonly InboundMessage[]): string[] =>
  arrived.map((message) => message.header('Nats-Msg-Id') ?? '');

export const positionsOf = (arrived: readonly InboundMessage[]): number[] =>
  arrived.map(({ body }) => (decodeBytes(body) as StoredEvent).streamPosition);

export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
