import * as assert from 'uvu/assert';
import { assign } from 'xstate';
import { Command } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { CancelOrder, fulfilment, OrderCreated } from '../testing/order-fulfilment.js';
import { messagesOf, processSetup, shape } from './process-setup.js';

const test = suite('process setup');

class BookFlight extends Command {
  flight!: string;
}

const parts = processSetup({
  events: { OrderCreated },
  commands: { CancelOrder },
  context: shape<{ reason: string }>(),
  delays: { soon: 1000 },
  raises: shape<{ type: 'remind' }>(),
});

test('the compiler refuses an event that the process does not take', () => {
  parts.createMachine({ context: { reason: '' }, on: { OrderCreated: {}, remind: {} } });
  // @ts-expect-error no such event
  parts.createMachine({ context: { reason: '' }, on: { OrderShipped: {} } });
  // @ts-expect-error no such command
  parts.createMachine({ context: { reason: '' }, on: { 'BookFlight.refused': {} } });
});

test('the compiler refuses a command that the process does not send', () => {
  const send = (reason: string) => ({
    type: 'send' as const,
    params: () => CancelOrder.of({ orderId: '', reason }),
  });
  parts.createMachine({ context: { reason: '' }, entry: send('unpaid') });
  const booked = () => BookFlight.of({ flight: '' });
  // @ts-expect-error another command
  parts.createMachine({ context: { reason: '' }, entry: { type: 'send', params: booked } });
});

test('the compiler refuses an unknown action and a wrong context', () => {
  parts.createMachine({ context: { reason: '' }, after: { soon: { actions: assign({ reason: 'late' }) } } });
  // @ts-expect-error no such action
  parts.createMachine({ context: { reason: '' }, entry: { type: 'log' } });
  // @ts-expect-error no such property
  parts.createMachine({ context: { why: '' } });
});

test('a delay is a duration or milliseconds', () => {
  const make = (delays: Readonly<Record<string, string | number>>) =>
    processSetup({ events: { OrderCreated }, commands: { CancelOrder }, context: shape<{ n: 1 }>(), delays });
  const { delays } = make({ patience: 'P1DT2H', soon: 1000 }).createMachine({
    context: { n: 1 },
  }).implementations;
  assert.equal({ ...delays }, { patience: 26 * 3_600_000, soon: 1000 });
  assert.throws(
    () => make({ patience: 'two days' }),
    /delays\.patience 'two days' is not a duration such as PT15M/,
  );
});

test('a machine knows the messages of its process, also with other implementations', () => {
  assert.equal(Object.keys(messagesOf(fulfilment)?.commands ?? {}), [
    'ReserveStock',
    'ReleaseStock',
    'CancelOrder',
  ]);
  assert.is(messagesOf(fulfilment.provide({})), messagesOf(fulfilment));
  const extended = parts
    .extend({ guards: { isLate: () => true } })
    .createMachine({ context: { reason: '' } });
  assert.is(messagesOf(extended)?.commands['CancelOrder'], CancelOrder);
  assert.is(extended.options.maxIterations, 1000);
});
