import * as assert from 'uvu/assert';
import { assign, cancel, raise } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import { InMemoryProcess } from '../kit/in-memory-process.js';
import { OrderFulfilment, ReleaseStock } from '../testing/order-fulfilment.js';
import {
  orderId,
  reservationId,
  created,
  reserved,
  paid,
  quarter,
  small,
  processOf,
  ping,
} from '../testing/stepped-processes.js';

const test = suite('timers of a process');

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
