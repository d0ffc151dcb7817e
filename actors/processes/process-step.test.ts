import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assign, type AnyStateMachine, cancel, enqueueActions, raise } from 'xstate';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { StoredProcess } from '../../contracts/reaction-store.js';
import { InMemoryProcess } from '../testing/in-memory-process.js';
import {
  CancelOrder,
  OrderCancelled,
  OrderCreated,
  OrderFulfilment,
  PaymentReceived,
  ReleaseStock,
  ReserveStock,
  StockReserved,
} from '../testing/order-fulfilment.js';
import { storedEvent } from '../../runtime/testing/stored-event.js';
import type { Process } from './process.js';
import { processStep, type StepOutcome } from './process-step.js';
import { processSetup, shape } from './process-setup.js';

const test = suite('process step');

const orderId = '0190b5d4-0000-7000-8000-000000000001';
const reservationId = '0190b5d4-0000-7000-8000-000000000002';
const created = storedEvent(OrderCreated.of({ orderId }));
const reserved = storedEvent(StockReserved.of({ orderId, reservationId }), 2);
const paid = storedEvent(PaymentReceived.of({ orderId }), 3);
const cancelled = storedEvent(OrderCancelled.of({ orderId }), 4);
const quarter = 15 * 60_000;

class Ping extends Event {
  n!: number;
}
class Pong extends Command {
  n!: number;
}

const small = processSetup({
  events: { Ping },
  commands: { Pong },
  context: shape<Record<string, unknown>>(),
  delays: { soon: 1000 },
  raises: shape<{ type: 'remind'; note: string }>(),
});

/** A process of one machine; all events are for one instance. */
const processOf = (machine: AnyStateMachine, more: Partial<Process> = {}): Process => ({
  name: 'small',
  version: 1,
  machine,
  starts: [Ping],
  key: () => 'one',
  ...more,
});
const ping = (n = 1) => storedEvent(Ping.of({ n }), n);

const trailOf = (row: StoredProcess | undefined): readonly { readonly event: string }[] =>
  (row?.trail ?? []) as unknown as readonly { readonly event: string }[];

const codeOf = (outcome: StepOutcome): string =>
  outcome.kind === 'parked' ? outcome.problem.code : outcome.kind;

const detailOf = (outcome: StepOutcome): string =>
  outcome.kind === 'parked' ? outcome.problem.message : outcome.kind;

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

test('an after is a timer of the same commit, and leaving the state ends it', async () => {
  const orders = new InMemoryProcess(new OrderFulfilment());
  await orders.take(created);
  await orders.take(reserved);
  const [timer] = orders.timers();
  assert.is(timer?.dueAt, new Date(quarter).toISOString());
  assert.is(timer?.kind, 'process');
  assert.equal(timer?.data, {
    sendId: 'xstate.after.paymentTimeout.order-fulfilment.awaitingPayment',
    event: { type: 'xstate.after.paymentTimeout.order-fulfilment.awaitingPayment' },
  });
  const outcome = await orders.take(paid);
  assert.equal(outcome.kind === 'stepped' && outcome.lists.ended, [{ id: timer?.id }]);
  assert.equal(orders.timers(), []);
});

test('a timer that fires ends itself with its due time and moves the process on', async () => {
  const orders = new InMemoryProcess(new OrderFulfilment());
  await orders.take(created);
  await orders.take(reserved);
  const [timer] = orders.timers();
  await orders.advance(quarter - 1);
  assert.is(orders.row(orderId)?.state, 'awaitingPayment');
  await orders.advance(1);
  assert.is(orders.row(orderId)?.state, 'releasing');
  assert.equal(orders.sent.at(-1), ReleaseStock.of({ orderId, reservationId }));
  const last = orders.outcomes.at(-1);
  assert.equal(last?.kind === 'stepped' && last.lists.ended, [{ id: timer?.id, firedAt: timer?.dueAt }]);
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

test('re-entering a state replaces its timer; a timer that re-enters its state is ended and set', async () => {
  const process = processOf(
    small.createMachine({
      id: 'small',
      context: {},
      initial: 'waiting',
      states: {
        waiting: {
          after: { soon: { target: 'waiting', reenter: true } },
          on: { Ping: { target: 'waiting', reenter: true } },
        },
      },
    }),
  );
  const run = new InMemoryProcess(process);
  await run.take(ping());
  const [first] = run.timers();
  await run.advance(500);
  const again = await run.take(ping());
  assert.equal(again.kind === 'stepped' && again.lists.ended, []);
  assert.is(run.timers().length, 1);
  assert.is(run.timers()[0]?.id, first?.id);
  assert.is(run.timers()[0]?.dueAt, new Date(1500).toISOString());
  await run.advance(1000);
  const fired = run.outcomes.at(-1);
  assert.equal(fired?.kind === 'stepped' && fired.lists.ended, [
    { id: first?.id, firedAt: new Date(1500).toISOString() },
  ]);
  assert.is(run.timers()[0]?.dueAt, new Date(2500).toISOString());
});

test('raised events with a delay are timers too: with an id they can be cancelled, without one each is its own', async () => {
  const remind = (note: string) => ({ type: 'remind', note }) as const;
  const process = processOf(
    small.createMachine({
      context: { notes: [] },
      entry: [
        raise(remind('a'), { delay: 10 }),
        raise(remind('b'), { delay: 20 }),
        raise(remind('c'), { delay: 30, id: 'c' }),
      ],
      on: {
        remind: {
          actions: assign({ notes: ({ context, event }) => [...(context['notes'] as string[]), event.note] }),
        },
        Ping: { actions: cancel('c') },
      },
    }),
  );
  const run = new InMemoryProcess(process);
  await run.take(ping());
  assert.is(run.timers().length, 3);
  await run.advance(15);
  await run.take(ping(2));
  await run.advance(100);
  const { context } = (run.row('one')?.snapshot ?? {}) as { readonly context?: unknown };
  assert.equal(context, { notes: ['a', 'b'] });
  assert.equal(run.timers(), []);
});

test('a final state ends every timer that is pending', async () => {
  const process = processOf(
    small.createMachine({
      context: {},
      initial: 'open',
      states: {
        open: { entry: raise({ type: 'remind', note: '' }, { delay: 10 }), on: { Ping: 'shut' } },
        shut: { type: 'final' },
      },
    }),
  );
  const run = new InMemoryProcess(process);
  await run.take(ping());
  await run.take(ping(2));
  assert.is(run.row('one')?.status, 'ended');
  assert.equal(run.timers(), []);
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

test('more than 16 rounds of refusals, more than 100 commands and an endless always are parked as process-too-long', async () => {
  const send = { type: 'send', params: () => Pong.of({ n: 1 }) } as const;
  const stubborn = small.createMachine({
    context: {},
    entry: send,
    on: { 'Pong.refused': { actions: send } },
  });
  const refusing = () => new Problem('no', { status: 409 });
  const many = small.createMachine({ context: {}, entry: Array.from({ length: 101 }, () => send) });
  const endless = small.createMachine({
    context: {},
    initial: 'a',
    states: { a: { always: 'b' }, b: { always: 'a' } },
  });
  for (const [machine, detail] of [
    [stubborn, 'One step of the process takes more than 16 rounds of refused commands.'],
    [many, 'One step of the process takes more than 100 commands.'],
    [
      endless,
      'The machine does not come to rest: Infinite loop detected: the machine has processed more than 1000 microsteps.',
    ],
  ] as const) {
    const run = new InMemoryProcess(processOf(machine), machine === stubborn ? refusing : undefined);
    const outcome = await run.take(ping());
    assert.is(codeOf(outcome), 'process-too-long');
    assert.is(detailOf(outcome), detail);
    assert.equal(run.sent, []);
  }
});

test('a context that is not JSON is refused when it is staged', async () => {
  for (const [value, what] of [
    [new Date(0), 'context.it is an instance of Date'],
    [() => 1, 'context.it is a function'],
    [[undefined], 'context.it[0] is undefined'],
    [NaN, 'context.it is NaN'],
  ] as const) {
    const run = new InMemoryProcess(processOf(small.createMachine({ context: () => ({ it: value }) })));
    const outcome = await run.take(ping());
    assert.is(codeOf(outcome), 'process-invalid');
    assert.is(detailOf(outcome), `The context of a process must be JSON, but ${what}.`);
  }
});

test('a snapshot over 64 KiB and a timer over 64 KiB are refused as process-too-large', async () => {
  const text = 'x'.repeat(65_536);
  const large = small.createMachine({ context: { text } });
  const largeTimer = small.createMachine({
    context: {},
    entry: raise({ type: 'remind', note: text }, { delay: 1 }),
  });
  for (const machine of [large, largeTimer]) {
    assert.is(codeOf(await new InMemoryProcess(processOf(machine)).take(ping())), 'process-too-large');
  }
});

test('an action that is hidden in enqueueActions, a spawned actor and a delay that is no number park the process', async () => {
  const hidden = small.createMachine({
    context: {},
    entry: enqueueActions(({ enqueue }) => enqueue(() => undefined)),
  });
  const endlessDelay = small.createMachine({
    context: {},
    entry: raise({ type: 'remind', note: '' }, { delay: () => NaN }),
  });
  const spawning = small.createMachine({
    context: ({ spawn }) => {
      (spawn as (logic: object, options: object) => unknown)(hidden, { id: 'child' });
      return {};
    },
  });
  for (const [machine, detail] of [
    [hidden, /^The action \(anonymous\) cannot run in a process/],
    [endlessDelay, /^The delay of remind must be a number of milliseconds up to 10 years, not NaN\.$/],
    [spawning, /^The actor child would not survive a restart/],
  ] as const) {
    const outcome = await new InMemoryProcess(processOf(machine)).take(ping());
    assert.is(codeOf(outcome), 'process-invalid', String(detail));
    assert.match(detailOf(outcome), detail);
  }
});

test('a process that was parked at its start starts when the event is tried again', async () => {
  const process = (context: unknown) => processOf(small.createMachine({ context: () => ({ it: context }) }));
  const broken = new InMemoryProcess(process(NaN));
  await broken.take(ping());
  assert.is(broken.row('one')?.status, 'parked');
  const mended = broken.deploy(process(1));
  assert.is((await mended.take(ping())).kind, 'stepped');
  assert.is(mended.row('one')?.status, 'running');
  assert.is(mended.row('one')?.error, null);
});

test('what the code of the user throws is thrown on, so that the event is tried again', async () => {
  const machine = small.createMachine({
    context: () => {
      throw new TypeError('no such customer');
    },
  });
  try {
    await new InMemoryProcess(processOf(machine)).take(ping());
    assert.unreachable();
  } catch (error) {
    assert.instance(error, TypeError);
  }
});

test('what a receptor throws that is no refusal is thrown on', async () => {
  const failure = new Problem('store-unavailable');
  const step = processStep({
    process: new OrderFulfilment(),
    key: orderId,
    row: undefined,
    trigger: { event: created },
    at: '2026-01-01T00:00:00Z',
    context: {},
    stage: () => Promise.reject(failure),
  });
  assert.is(await step.catch((error: unknown) => error), failure);
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

test.run();
