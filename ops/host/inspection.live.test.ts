import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { suite } from '../../contracts/testing/suite.js';
import { post, send } from '../../endpoints/testing/http-client.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { machines } from '../service/state-machines.js';
import { withHost } from '../testing/probed-host.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { withOrders } from '../testing/spawned-host.js';
import type { Host } from './host.js';
import { durationOf, until } from '../../runtime/kit/until.js';

const test = suite('inspected host');

interface Frame {
  readonly type: string;
  readonly sessionId: string;
  readonly rootId: string;
  readonly sourceId?: string;
  readonly event?: { readonly type: string };
  readonly snapshot?: { readonly status: string; readonly value?: string };
}

const order = {
  customerId: '018f3a52-7c1e-7cc0-9d3a-2b1f4c5d6e7f',
  lineItems: [{ productId: 'sku-10442', quantity: 2, unitPrice: '19.99' }],
  shippingAddress: { street: '12 Harbour Street', city: 'Portsmouth', state: 'NH', zipCode: '03801' },
};

const tooMany = [{ productId: 'sku-10442', quantity: 1_001, unitPrice: '19.99' }];

/** Those that a host has sent so far. */
async function framesFrom(url: string): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/inspect`);
  socket.on('message', (data: Buffer) => void frames.push(JSON.parse(data.toString()) as Frame));
  await new Promise((resolve) => void socket.once('open', resolve));
  return frames;
}

const whileRunning = sharedIn<{ readonly host: Host; readonly url: string }>(test, (body) =>
  withStore((url) => withHost(url, (host) => body({ host, url }))),
);

test('a request on a real host is traced from its lifecycle to its commit, and a stop does not wait for inspectors', () =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url, SVC_NAME: 'north' }, async (host) => {
      const frames = await framesFrom(host.url);
      assert.is((await post(host.url, order, { path: '/orders' })).status, 200);
      await until(() => frames.some(({ snapshot }) => snapshot?.value === 'completed'));
      const root = frames[0]?.rootId ?? '';
      const short = (id: string | undefined) => id?.replace(root, '') ?? '';
      const messages = frames
        .filter(({ type, sourceId }) => type === '@xstate.event' && sourceId !== undefined)
        .map(({ sourceId, sessionId, event }) => [short(sourceId), event?.type, short(sessionId)]);
      assert.equal(messages, [
        ['', 'enter', '/CreateOrder-handler'],
        ['/CreateOrder-handler', 'begin', '/CreateOrder-handler'],
        ['/CreateOrder-handler', 'succeeded', ''],
        ['', 'commit', '/store'],
        ['/store', 'committed', ''],
      ]);
      assert.ok(root.startsWith('north/'));
      assert.not.match(JSON.stringify(frames), 'Harbour');
      const ended = host.kill('SIGTERM');
      assert.ok((await durationOf(ended)) < 10_000, 'an open inspector does not delay it');
      assert.is((await ended).code, 0);
    }),
  ));

test('every statechart of the host is served as JSON', () =>
  whileRunning(async ({ host }) => {
    const { text } = await send(host.url, { method: 'GET', path: '/machines' });
    assert.equal(Object.keys(JSON.parse(text) as object), [
      ...machines.map(({ id }) => id),
      'order-fulfilment',
      'svc-approval',
    ]);
  }));

test('the steps of a process are sent with ids, types and states, and without its context', () =>
  whileRunning(async ({ host, url }) => {
    const frames = await framesFrom(host.url);
    const { text } = await post(host.url, { ...order, lineItems: tooMany }, { path: '/orders' });
    const { orderId } = JSON.parse(text) as { readonly orderId: string };
    const sent = () => frames.filter(({ sessionId }) => sessionId === `north/order-fulfilment/${orderId}`);
    await until(() => sent().some(({ snapshot }) => snapshot?.status === 'done'));
    const steps = sent().map(({ type, event, snapshot }) => [type, event?.type, snapshot?.value]);
    assert.equal(
      steps.filter(([type]) => type !== '@xstate.actor'),
      [
        ['@xstate.event', 'OrderCreated', undefined],
        ['@xstate.snapshot', 'OrderCreated', 'reserving'],
        ['@xstate.event', 'ReserveStock.refused', undefined],
        ['@xstate.snapshot', 'ReserveStock.refused', 'cancelling'],
        ['@xstate.event', 'OrderCancelled', undefined],
        ['@xstate.snapshot', 'OrderCancelled', 'cancelled'],
      ],
    );
    // The process had it in its context, and sent it in a command.
    const reason = `SELECT data ->> 'reason' FROM svc_event_stream WHERE event_type = 'OrderCancelled'`;
    assert.equal(await rowsOf(url, reason), [['out-of-stock']]);
    assert.not.match(JSON.stringify(sent()), /out-of-stock|sku-10442|Harbour/);
  }));

test('without inspection there is no inspector and no list of machines', () =>
  withStore((url) =>
    withHost(
      url,
      async (host) => {
        assert.is((await send(host.url, { method: 'GET', path: '/machines' })).status, 404);
        const socket = new WebSocket(`${host.url.replace('http', 'ws')}/inspect`);
        const refused = await new Promise<Error>((resolve) => void socket.once('error', resolve));
        assert.match(refused.message, '404');
      },
      { SVC_INSPECT: '0' },
    ),
  ));
