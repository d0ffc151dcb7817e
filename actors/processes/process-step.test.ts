import * as assert from 'uvu/assert';
import { assign, enqueueActions } from 'xstate';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { InMemoryProcess } from '../kit/in-memory-process.js';
import { CancelOrder, OrderFulfilment, ReleaseStock, ReserveStock } from '../testing/order-fulfilment.js';
import {
  orderId,
  created,
  reserved,
  paid,
  cancelled,
  Pong,
  small,
  processOf,
  ping,
  trailOf,
  detailOf,
} from '../testing/stepped-processes.js';

const test = suite('process step');

test('an event starts a process, which sends its first command', async () => {
  const orders = new InMemoryProcess(new OrderFulfilment());
  assert.is((await orders.take(created)).kind, 'stepped');
  assert.equal(orders.sent, [ReserveStock.of({ orderId })]);
  const row = orders.row(orderId);
  assert.is(row?.state, 'reserving');
  assert.is(row?.status, 'running');
  assert.is(row?.version, 2);
  assert.equal(row?.trail, [
    {
      at: '1970-01-01T00:00:00.000Z',
      position: created.globalPosition,
      event: 'OrderCreated',
      from: null,
      to: 'reserving',
      sent: ['ReserveStock'],
    },
  ]);
});

test('a refused command is taken in the same step, so that compensation is in the same commit', async () => {
  const outOfStock = new Problem('out-of-stock', { status: 409 });
  const refusing = (command: Command) => (command instanceof ReserveStock ? outOfStock : undefined);
  const orders = new InMemoryProcess(new OrderFulfilment(), refusing);
  await orders.take(created);
  assert.equal(orders.sent, [CancelOrder.of({ orderId, reason: 'out-of-stock' })]);
  assert.is(orders.row(orderId)?.state, 'cancelling');
  assert.equal(
    trailOf(orders.row(orderId)).map(({ event }) => event),
    ['OrderCreated', 'ReserveStock.refused'],
  );
});

test('a refusal that no state takes parks the process, and nothing of the step is sent', async () => {
  const refusing = (command: Command) =>
    command instanceof ReleaseStock ? new Problem('gone', { status: 404 }) : undefined;
  const orders = new InMemoryProcess(new OrderFulfilment(), refusing);
  await orders.take(created);
  await orders.take(reserved);
  const sent = orders.sent.length;
  const outcome = await orders.take(cancelled);
  assert.is(
    detailOf(outcome),
    'ReleaseStock was refused (gone), and the state releasing has no transition for ReleaseStock.refused.',
  );
  assert.is(orders.sent.length, sent);
  const row = orders.row(orderId);
  assert.is(row?.status, 'parked');
  assert.is(row?.state, 'awaitingPayment', 'it stays where it was');
  assert.match(row?.error ?? '', /^process-refused: /);
  assert.is(orders.timers().length, 1, 'and its timer goes on');
});

test('a process ends in a final state: its row stays, and later events are passed', async () => {
  const orders = new InMemoryProcess(new OrderFulfilment());
  for (const event of [created, reserved, paid]) await orders.take(event);
  assert.is(orders.row(orderId)?.status, 'ended');
  const revision = orders.row(orderId)?.revision;
  for (const event of [created, cancelled]) {
    const outcome = await orders.take(event);
    assert.is(outcome.kind === 'passed' && outcome.reason, 'ended');
  }
  assert.is(orders.row(orderId)?.revision, revision);
  assert.is(orders.sent.length, 1);
});

test('ProcessStarted and ProcessEnded report outcome and duration', async () => {
  const orders = new InMemoryProcess(new OrderFulfilment());
  await orders.take(created);
  await orders.take(reserved);
  await orders.advance(61_000);
  await orders.take(paid);
  assert.equal(
    orders.records.map((record) => {
      const { id: _, ...rest } = JSON.parse(JSON.stringify(record)) as Record<string, unknown>;
      return [record.constructor.name, rest];
    }),
    [
      [
        'ProcessStarted',
        { processName: 'order-fulfilment', key: orderId, version: 2, timestamp: '1970-01-01T00:00:00.000Z' },
      ],
      [
        'ProcessEnded',
        {
          processName: 'order-fulfilment',
          key: orderId,
          version: 2,
          outcome: 'paid',
          duration: 'PT61S',
          timestamp: '1970-01-01T00:01:01.000Z',
        },
      ],
    ],
  );
});

test('an event for no process, and one that the state does not take, are passed without a write', async () => {
  const orders = new InMemoryProcess(new OrderFulfilment());
  const early = await orders.take(paid);
  assert.is(early.kind === 'passed' && early.reason, 'not-started');
  assert.is(orders.row(orderId), undefined);
  await orders.take(created);
  const { revision } = orders.row(orderId) ?? {};
  const outcome = await orders.take(paid);
  assert.is(outcome.kind === 'passed' && outcome.reason, 'unmatched');
  assert.is(orders.row(orderId)?.revision, revision);
});

test('enqueueActions may send and assign', async () => {
  const process = processOf(
    small.createMachine({
      context: {},
      entry: enqueueActions(({ enqueue }) => {
        enqueue.assign({ n: 7 });
        enqueue({ type: 'send', params: ({ context }) => Pong.of({ n: context['n'] as number }) });
      }),
    }),
  );
  const run = new InMemoryProcess(process);
  await run.take(ping());
  assert.equal(run.sent, [Pong.of({ n: 7 })]);
});

test('the trail keeps the last 50 events', async () => {
  const machine = small.createMachine({
    context: { n: 0 },
    on: { Ping: { actions: assign({ n: ({ event }) => event.data.n }) } },
  });
  const run = new InMemoryProcess(processOf(machine));
  for (let n = 1; n <= 60; n++) await run.take(ping(n));
  assert.is(trailOf(run.row('one')).length, 50);
});

test('nested and parallel states are written on one line', async () => {
  const machine = small.createMachine({
    context: {},
    type: 'parallel',
    states: {
      stock: { initial: 'asked', states: { asked: {}, there: {} } },
      payment: { initial: 'due', states: { due: { initial: 'soon', states: { soon: {} } } } },
      note: {},
    },
  });
  const run = new InMemoryProcess(processOf(machine));
  await run.take(ping());
  assert.is(run.row('one')?.state, 'stock.asked, payment.due.soon, note');
});
