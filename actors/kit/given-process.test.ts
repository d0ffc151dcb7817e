import * as assert from 'uvu/assert';
import { type AnyStateMachine, assign } from 'xstate';
import { EffectRefused } from '../../contracts/effect.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Process } from '../processes/process.js';
import { processSetup, shape } from '../processes/process-setup.js';
import { LabelPrinted, PrintLabel } from '../testing/label-printing.js';
import { given } from './given.js';
import {
  CancelOrder,
  OrderCancelled,
  OrderCreated,
  OrderFulfilment,
  PaymentReceived,
  ReleaseStock,
  ReserveStock,
  StockReleased,
  StockReserved,
} from '../testing/order-fulfilment.js';

const test = suite('given a process');

const orderId = '0190b5d4-0000-7000-8000-000000000001';
const reservationId = '0190b5d4-0000-7000-8000-000000000002';
const created = OrderCreated.of({ orderId });
const reserved = StockReserved.of({ orderId, reservationId });
const paid = PaymentReceived.of({ orderId });

const failureOf = async (chain: PromiseLike<void>): Promise<string> => {
  try {
    await chain;
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

test('a process is tested by events, time, commands and states', async () => {
  await given(new OrderFulfilment())
    .when(created, reserved)
    .after('PT15M')
    .thenSends(ReleaseStock.of({ orderId, reservationId }))
    .thenIn('releasing');
});

test('a chain may go on after an expectation, which looks at what happened since the last act', async () => {
  await given(new OrderFulfilment())
    .when(created)
    .thenSends(ReserveStock.of({ orderId }))
    .thenIn('reserving')
    .when(reserved)
    .thenSends()
    .after('PT14M')
    .thenIn('awaitingPayment')
    .when(paid)
    .thenIn('paid')
    .after('P1D')
    .thenSends()
    .thenIn('paid');
});

test('compensation is tested by letting receptors refuse a command', async () => {
  await given(new OrderFulfilment())
    .refusing(ReserveStock, 'out-of-stock')
    .when(created)
    .thenSends(CancelOrder.of({ orderId, reason: 'out-of-stock' }))
    .when(OrderCancelled.of({ orderId }))
    .thenIn('cancelled');
  await given(new OrderFulfilment())
    .refusing(ReleaseStock, 'gone')
    .when(created, reserved)
    .after('PT15M')
    .thenParks('process-refused');
});

test('what is not as expected fails', async () => {
  const whole = () => given(new OrderFulfilment()).when(created);
  assert.match(await failureOf(whole().thenSends()), /strictly deep-equal/);
  assert.match(
    await failureOf(whole().thenSends(ReserveStock.of({ orderId: newUuid() }))),
    /strictly deep-equal/,
  );
  assert.match(await failureOf(whole().thenIn('paid')), /reserving/);
  assert.match(await failureOf(whole().thenParks('process-version')), /process-version/);
  assert.match(await failureOf(whole().after('15 minutes')), /is not a duration/);
  const refused = given(new OrderFulfilment())
    .refusing(ReleaseStock, 'gone')
    .when(created, reserved)
    .after('PT15M');
  assert.match(await failureOf(refused.thenIn('releasing')), /The process is parked: process-refused/);
  assert.is(await failureOf(whole().when(StockReleased.of({ orderId })).thenSends()), '');
  const other = LabelPrinted.of({ orderId });
  assert.is(
    await failureOf(whole().when(other).thenSends()),
    'The process order-fulfilment never gets LabelPrinted: add it to its events.',
  );
});

const parts = processSetup({
  events: { OrderCreated },
  commands: { ReserveStock },
  context: shape<{ it?: unknown }>(),
});
const withMachine = (machine: AnyStateMachine) => ({
  name: 'small',
  version: 1,
  machine,
  starts: [OrderCreated],
  key: () => 'one',
});

test('a process that makes ids or reads the clock is found', async () => {
  for (const it of [newUuid, () => Date.now(), () => Math.random(), () => new Date().toISOString()]) {
    const machine = parts.createMachine({ context: {}, entry: assign({ it }) });
    assert.match(
      await failureOf(given(withMachine(machine)).when(created).thenSends()),
      /^The process small decides differently when a step runs again: it must not read the clock or make ids\.$/,
    );
  }
  const sending = parts.createMachine({
    context: {},
    entry: { type: 'send', params: () => ReserveStock.of({ orderId: newUuid() }) },
  });
  assert.match(await failureOf(given(withMachine(sending)).when(created).thenIn('')), /decides differently/);
});

test('a process that cannot be registered cannot be tested either', () => {
  const process = { ...withMachine(parts.createMachine({ context: {} })), name: 'Small' };
  assert.throws(
    () => given(process),
    (error: unknown) => error instanceof Problem && error.code === 'invalid-setup',
  );
});

const printing = processSetup({
  events: { OrderCreated, OrderCancelled, LabelPrinted },
  commands: { PrintLabel, CancelOrder },
  context: shape<{ orderId: string; output: string }>(),
}).createMachine({
  context: ({ input }) => ({ orderId: input.data.orderId, output: '' }),
  initial: 'printing',
  states: {
    printing: {
      invoke: {
        src: 'PrintLabel',
        input: ({ context }) => PrintLabel.of({ orderId: context.orderId }),
        onDone: {
          target: 'printed',
          actions: assign({ output: ({ event }) => event.output.orderId }),
        },
        onError: 'unprinted',
      },
      on: { OrderCancelled: 'cancelled' },
    },
    printed: { on: { LabelPrinted: 'seen' } },
    seen: {},
    unprinted: {
      entry: {
        type: 'send',
        params: ({ context }) => CancelOrder.of({ orderId: context.orderId, reason: 'no label' }),
      },
    },
    cancelled: {},
  },
});
const labels: Process = {
  name: 'labels',
  version: 1,
  machine: printing,
  starts: [OrderCreated],
  key: ({ payload }) => (payload as OrderCreated).orderId,
};

test('what a process invokes is asked for, and is answered with events, which happen too, or with a refusal', async () => {
  const request = PrintLabel.of({ orderId });
  await given(labels)
    .when(created)
    .thenSends()
    .thenAsks(request)
    .thenIn('printing')
    .answered(LabelPrinted.of({ orderId }))
    .thenAsks()
    .thenIn('seen');
  await given(labels)
    .when(created)
    .answered(new EffectRefused('no-paper'))
    .thenSends(CancelOrder.of({ orderId, reason: 'no label' }))
    .thenIn('unprinted');
  assert.match(await failureOf(given(labels).when(created).thenAsks()), /strictly deep-equal/);
  const left = given(labels).when(created, OrderCancelled.of({ orderId })).thenIn('cancelled');
  assert.match(await failureOf(left.answered(LabelPrinted.of({ orderId }))), /its state was left/);
});
