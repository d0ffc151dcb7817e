import * as assert from 'uvu/assert';
import type { ReactionFailed } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import { later, type Reaction } from '../../contracts/reaction.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import {
  OrderPlaced,
  otherOrderIn,
  partOfOrder,
  ReserveStock,
  reserveStock,
  started,
  warehouse,
  whileRunning,
} from '../testing/stock-reactions.js';

const test = suite('what a reaction answers');

const order = newUuid();
const part = partOfOrder(order);
const other = otherOrderIn(part);

test('what a reaction answers to a refusal is sent instead', async () => {
  const reaction: Reaction<OrderPlaced> = {
    ...reserveStock,
    refused: ({ payload: { orderId } }, problem) => ReserveStock.of({ orderId, item: `not ${problem.code}` }),
  };
  const { run, place, reserved } = warehouse(reaction, ({ item }) => {
    if (item === 'tea') throw new Problem('out-of-stock', { status: 422 });
  });
  const cursor = run(part);
  await whileRunning(cursor, async () => {
    await started(cursor);
    await place(order, 'tea');
    cursor.wake();
    await until(async () => (await reserved()).length === 1);
  });
  assert.equal(await reserved(), ['not out-of-stock']);
});

test('a name that the commit refuses is refused to the reaction', async () => {
  const reaction: Reaction<OrderPlaced> = {
    ...reserveStock,
    refused: ({ payload: { orderId, item } }, { code }) =>
      ReserveStock.of({ orderId, item: `${item} ${code}` }),
  };
  const { run, place, reserved, typed } = warehouse(reaction, ({ orderId, item }, work) =>
    work.reserve('item', item, { owner: orderId }),
  );
  const cursor = run(part);
  await whileRunning(cursor, async () => {
    await started(cursor);
    await place(order, 'tea');
    await place(other, 'tea');
    cursor.wake();
    await until(async () => (await reserved()).length === 2);
  });
  assert.equal(await reserved(), ['tea', 'tea already-reserved']);
  assert.is((await typed('ReactionFailed')).length, 0);
});

test('an answer of nothing passes the event', async () => {
  const { figures, run, place, typed } = warehouse({ ...reserveStock, refused: () => [] }, () => {
    throw new Problem('out-of-stock', { status: 422 });
  });
  const cursor = run(part);
  await whileRunning(cursor, async () => {
    await started(cursor);
    await place(order, 'tea');
    cursor.wake();
    await until(() => figures.counts.passed === 1);
  });
  assert.equal(await typed('ReactionFailed'), []);
});

test('commands that are sent later become timers of the same commit', async () => {
  const reaction: Reaction<OrderPlaced> = {
    ...reserveStock,
    react: ({ payload: { orderId, item } }) =>
      later(ReserveStock.of({ orderId, item }), { in: 'PT15M', name: 'reserve', key: orderId }),
  };
  const { figures, run, place, store } = warehouse(reaction);
  const cursor = run(part);
  await whileRunning(cursor, async () => {
    await started(cursor);
    await place(order, 'tea');
    cursor.wake();
    await until(() => figures.counts.handled === 1);
  });
  const [timer] = await store.reactions.timersOf('command', 'reserve', order);
  assert.equal(timer?.data, { type: 'ReserveStock', body: { orderId: order, item: 'tea' } });
});

test('two reactions that answer each other end after 32 steps, and the key is parked', async () => {
  const reaction: Reaction<OrderPlaced> = { ...reserveStock, attempts: 2 };
  const { run, dispatcher, typed, store } = warehouse(reaction, () => undefined);
  const cursor = run(part);
  await whileRunning(cursor, async () => {
    await started(cursor);
    const envelope = {
      messageId: newUuid(),
      messageType: 'OrderPlaced',
      streamId: order,
      v: 1,
      depth: 32,
      payload: OrderPlaced.of({ orderId: order, item: 'tea' }),
      timestamp: new Date().toISOString(),
    };
    await store.append(order, envelope);
    cursor.wake();
    await until(() => cursor.line?.parkedKeys.size === 1);
  });
  const [failed] = await typed('ReactionFailed');
  assert.is((failed?.payload as ReactionFailed | undefined)?.error.code, 'causation-too-deep');
  assert.equal(
    dispatcher.loads.map(({ running }) => running),
    [0, 0],
  );
});
