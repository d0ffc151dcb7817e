import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { OutboundMessage } from '../../contracts/transport.js';
import { TransportUnreachable } from '../../contracts/transport.js';
import { messageListener } from '../testing/message-listener.js';
import { transportContract } from '../kit/transport-contract.js';
import { InProcessTransport } from './in-process-transport.js';

const test = suite('in-process transport');

const message = (destination: string): OutboundMessage => ({
  destination,
  id: '018f0000-0000-7000-8000-0000000000aa',
  envelope: {
    messageId: '018f0000-0000-7000-8000-0000000000aa',
    messageType: 'Baked',
    payload: { loaves: 3 },
    streamId: '018f0000-0000-7000-8000-0000000000bb',
    streamPosition: 1,
    globalPosition: 1,
    timestamp: '2026-01-01T00:00:00Z',
    occurredAt: '2026-01-01T00:00:00Z',
    recordedAt: '2026-01-01T00:00:00Z',
    v: 1,
  },
});

const failureOf = (promise: Promise<void>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test('a message reaches every subscriber whose pattern matches, and no other', async () => {
  const transport = new InProcessTransport();
  const received: string[] = [];
  transport.subscribe(messageListener('svc.events.Baked', () => void received.push('baker')));
  transport.subscribe(messageListener('svc.events.*', () => void received.push('shop')));
  transport.subscribe(messageListener('svc.system.>', () => void received.push('monitor')));
  await transport.publish(message('svc.events.Baked'));
  assert.equal(received, ['baker', 'shop']);
});

test('a message without subscribers counts as delivered', async () => {
  await new InProcessTransport().publish(message('svc.events.Baked'));
});

test('a message is delivered when its slowest subscriber has acknowledged it', async () => {
  const transport = new InProcessTransport();
  const received: string[] = [];
  transport.subscribe(
    messageListener('>', async () => {
      await new Promise(setImmediate);
      received.push('slow');
    }),
  );
  await transport.publish(message('svc.events.Baked'));
  assert.equal(received, ['slow']);
});

test('a subscriber that throws rejects the message, after the others have received it', async () => {
  const transport = new InProcessTransport();
  const received: string[] = [];
  const burnt = new RangeError('burnt');
  transport.subscribe(
    messageListener('>', () => {
      throw burnt;
    }),
  );
  transport.subscribe(messageListener('>', () => void received.push('shop')));
  assert.is(await failureOf(transport.publish(message('svc.events.Baked'))), burnt);
  assert.equal(received, ['shop']);
});

test('a stopped subscription receives nothing', async () => {
  const transport = new InProcessTransport();
  const received: string[] = [];
  const end = transport.subscribe(messageListener('>', () => void received.push('shop')));
  await end.stop();
  await transport.publish(message('svc.events.Baked'));
  assert.equal(received, []);
});

test('it has subscribers while a subscription is open', async () => {
  const transport = new InProcessTransport();
  assert.not(transport.hasSubscribers);
  const end = transport.subscribe(messageListener('svc.system.>', () => undefined));
  assert.ok(transport.hasSubscribers);
  await end.stop();
  assert.not(transport.hasSubscribers);
});

test('a closed transport cannot be reached', async () => {
  const transport = new InProcessTransport();
  await transport.close();
  assert.ok(transport.hasSubscribers, 'messages that cannot be sent now are not skipped');
  assert.instance(await failureOf(transport.publish(message('svc.events.Baked'))), TransportUnreachable);
});

const contract = suite('in-process transport, by its contract');
transportContract(contract, (body) => body(new InProcessTransport()));
