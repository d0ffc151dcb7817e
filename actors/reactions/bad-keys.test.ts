import * as assert from 'uvu/assert';
import type { ReactionFailed } from '../../contracts/events/error.js';
import type { Reaction } from '../../contracts/reaction.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { fulfilmentService } from '../testing/fulfilment-service.js';
import { OrderCreated, OrderFulfilment } from '../testing/order-fulfilment.js';
import { type OrderPlaced, partOfOrder, reserveStock, warehouse } from '../testing/stock-reactions.js';

const test = suite('events without a key');

const order = newUuid();
/** Another order in the same partition. */
const other = (() => {
  for (;;) {
    const id = newUuid();
    if (partOfOrder(id) === partOfOrder(order)) return id;
  }
})();

const badKeys: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  'an empty text': '',
  'a number': 7,
  'a text of 1,025 bytes': 'x'.repeat(1_025),
  'a text of 600 characters and 1,200 bytes': 'ü'.repeat(600),
  'a text with U+0000': 'a\0b',
  'a lone surrogate': 'a\ud800b',
};

const mustReturn = 'key() must return a text of 1 to 1024 bytes, without U+0000 and lone surrogates.';

for (const [what, bad] of Object.entries(badKeys)) {
  test(`a reaction whose key is ${what} is parked and reported, and others go on`, async () => {
    const reaction: Reaction<OrderPlaced> = {
      ...reserveStock,
      key: ({ payload: { orderId } }) => (orderId === order ? (bad as string) : orderId),
    };
    const { run, place, reserved, typed } = warehouse(reaction);
    const cursor = run(partOfOrder(order));
    const running = cursor.run();
    await until(() => cursor.line !== undefined);
    await place(order, 'tea');
    await place(other, 'jam');
    cursor.wake();
    await Promise.race([running, until(async () => (await reserved()).length === 1)]);
    await Promise.race([running, until(async () => (await typed('ReactionFailed')).length === 1)]);
    cursor.stop();
    await running;
    assert.equal(await reserved(), ['jam']);
    const [failed] = (await typed('ReactionFailed')).map(({ payload }) => payload as ReactionFailed);
    assert.equal([failed?.key, failed?.parked], [order, true]);
    assert.is(failed?.error.message, `The reaction reserve-stock has no key for OrderPlaced: ${mustReturn}`);
  });

  test(`a process whose key is ${what} is parked and reported, and others go on`, async () => {
    const process = Object.assign(new OrderFulfilment(), {
      key: ({ payload: { orderId } }: { readonly payload: OrderCreated }) =>
        orderId === order ? (bad as string) : orderId,
    });
    const { runs, happen, stateOf, typed } = fulfilmentService({}, process);
    const running = Promise.all(runs.map((run) => run.run()));
    await until(() => runs.every(({ line }) => line !== undefined));
    await happen(OrderCreated.of({ orderId: order }), OrderCreated.of({ orderId: other }));
    await Promise.race([running, until(async () => (await stateOf(other)) === 'awaitingPayment')]);
    await Promise.race([running, until(async () => (await typed('ReactionFailed')).length === 1)]);
    for (const run of runs) run.stop();
    await running;
    const [failed] = (await typed('ReactionFailed')).map(({ payload }) => payload as ReactionFailed);
    assert.equal([failed?.key, failed?.parked], [order, true]);
    assert.is(
      failed?.error.message,
      `The process order-fulfilment has no key for OrderCreated: ${mustReturn}`,
    );
  });
}
