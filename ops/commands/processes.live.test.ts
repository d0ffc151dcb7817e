import * as assert from 'uvu/assert';
import { OrderCancelled, OrderCreated } from '../../actors/testing/order-fulfilment.js';
import type { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { Happen, type ListedReaction, operatedShop, why } from '../testing/operated-shop.js';

const test = suite('svc processes');

const { shared, broken, crashing, send, svc, json, mistake, eventsOf } = operatedShop();
test.before(() => shared.start());
test.after(() => shared.stop());

interface Processes {
  readonly name: string;
  readonly key: string;
  readonly status: string;
  readonly state: string;
  readonly timers: readonly { readonly event: string }[];
  readonly trail: readonly { readonly event: string; readonly from: string | null; readonly to: string }[];
}

test('a process is shown with its timers and its way, and never with its context', async () => {
  const orderId = newUuid();
  await send(Happen.of({ orderId, event: OrderCreated.of({ orderId }) }));
  const show = () => json<Processes>('processes', 'show', 'order-fulfilment', orderId);
  await until(async () => (await svc('processes', 'show', 'order-fulfilment', orderId)).code === 0);
  await until(async () => (await show()).state === 'awaitingPayment');
  const shown = await show();
  assert.equal(Object.keys(shown), ['name', 'key', 'version', 'state', 'status', 'timers', 'trail']);
  assert.equal(Object.keys(shown.timers[0] ?? {}), ['id', 'dueAt', 'event']);
  assert.equal(
    shown.trail.map(({ event, from, to }) => [event, from, to]),
    [
      ['OrderCreated', null, 'reserving'],
      ['StockReserved', 'reserving', 'awaitingPayment'],
    ],
  );
  const list = await json<readonly Processes[]>('processes', 'list', '--state', 'awaitingPayment');
  const { trail: _, ...rest } = shown;
  assert.equal(list, [rest]);
  assert.equal(await json('processes', 'list', '--name', 'order-fulfilment', '--state', 'paid'), []);
  const { stdout } = await svc('processes', 'show', 'order-fulfilment', orderId);
  assert.match(
    stdout,
    /\n {2}\S+ {2}StockReserved {2}reserving → awaitingPayment\n {2}waits until \S+ for after paymentTimeout /,
  );
  assert.not.match(stdout, 'reservationId');
});

test('a process whose first event fails is not unknown', async () => {
  const orderId = newUuid();
  crashing.add(orderId);
  await send(Happen.of({ orderId, event: OrderCreated.of({ orderId }) }));
  const listed = () => json<readonly ListedReaction[]>('reactions', 'list');
  await until(async () => (await listed()).some(({ retrying }) => retrying === 1));
  assert.match((await svc('reactions', 'list')).stdout, /^order-fulfilment .* behind, 1 retrying/);
  assert.is(
    await mistake('processes', 'show', 'order-fulfilment', orderId),
    `The event that starts order-fulfilment ${orderId} fails; see svc reactions parked order-fulfilment.`,
  );
  crashing.delete(orderId);
});

test('a parked process that is retried continues, and the step is taken once', async () => {
  const orderId = newUuid();
  const show = () => json<Processes>('processes', 'show', 'order-fulfilment', orderId);
  await send(Happen.of({ orderId, event: OrderCreated.of({ orderId }) }));
  await until(async () => (await svc('processes', 'show', 'order-fulfilment', orderId)).code === 0);
  await until(async () => (await show()).state === 'awaitingPayment');
  assert.match(
    await mistake('processes', 'retry', 'order-fulfilment', orderId, ...why),
    'is running: there is nothing to retry',
  );
  broken.add(orderId);
  await send(Happen.of({ orderId, event: OrderCancelled.of({ orderId }) }));
  await until(async () => (await show()).status === 'parked');
  await until(
    async () =>
      (await json<readonly { key: string }[]>('reactions', 'parked', 'order-fulfilment')).length === 1,
  );
  const parked = await json<readonly { key: string }[]>('processes', 'list', '--status', 'parked');
  assert.equal(
    parked.map(({ key }) => key),
    [orderId],
  );
  assert.match(
    await mistake('processes', 'list', '--status', 'stuck'),
    "--status must be running, ended or parked, not 'stuck'",
  );
  broken.delete(orderId);
  assert.is((await svc('processes', 'retry', 'order-fulfilment', orderId, ...why)).code, 0);
  await until(async () => (await show()).status === 'ended');
  assert.is((await eventsOf(orderId)).filter((type) => type === 'StockReleased').length, 1);
  assert.match(
    await mistake('processes', 'retry', 'order-fulfilment', orderId, ...why),
    'has ended: there is nothing to retry',
  );
  assert.is(
    await mistake('processes', 'show', 'order-fulfilment', 'nobody'),
    'There is no process order-fulfilment with the key nobody.',
  );
});

test('skip lets a parked process go on with its next event', async () => {
  const orderId = newUuid();
  const happen = (event: Event) => send(Happen.of({ orderId, event }));
  const shown = () =>
    json<{ state: string; status: string }>('processes', 'show', 'order-fulfilment', orderId);
  await happen(OrderCreated.of({ orderId }));
  await until(async () => (await eventsOf(orderId)).includes('StockReserved'));
  broken.add(orderId);
  await happen(OrderCancelled.of({ orderId }));
  await until(async () => (await shown()).status === 'parked');
  assert.is(
    (await json<{ key: string }>('processes', 'skip', 'order-fulfilment', orderId, ...why)).key,
    orderId,
  );
  assert.is((await shown()).status, 'running');
  broken.delete(orderId);
  await happen(OrderCancelled.of({ orderId }));
  await until(async () => (await eventsOf(orderId)).includes('StockReleased'));
});
