import * as assert from 'uvu/assert';
import {
  type AnyStateMachine,
  assign,
  cancel,
  createMachine,
  emit,
  enqueueActions,
  fromPromise,
  log,
  raise,
  sendTo,
  setup,
  spawnChild,
} from 'xstate';
import { EventAudited } from '../../contracts/events/audited.js';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { CancelOrder, fulfilment, OrderCreated, OrderFulfilment } from '../testing/order-fulfilment.js';
import { storedEvent } from '../../runtime/kit/stored-event.js';
import { checkProcess, keyOf } from './check-process.js';
import type { Process } from './process.js';
import { processSetup, shape } from './process-setup.js';

const test = suite('check of a process');

class OrderShipped extends Event {}

const base: Process = {
  name: 'order-fulfilment',
  version: 2,
  machine: fulfilment,
  starts: [OrderCreated],
  key: () => 'k',
};

/** The one line that refuses a process; empty: it is fine. */
function refusal(more: Partial<Process>): string {
  try {
    checkProcess({ ...base, ...more });
    return '';
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'invalid-setup')) throw error;
    return error.message;
  }
}

const parts = processSetup({
  events: { OrderCreated },
  commands: { CancelOrder },
  context: shape<object>(),
  delays: { soon: 1 },
});

/** A machine from a config that the compiler would refuse. */
const machineOf = (config: object): AnyStateMachine =>
  (parts.createMachine as (config: object) => AnyStateMachine)({ context: {}, ...config });

test('the process of the design is fine, and so are the actions that XState resolves', () => {
  assert.is(refusal({}), '');
  const actions = [assign({}), raise({ type: 'a' }), cancel('a'), enqueueActions(() => undefined)];
  assert.is(
    refusal({ machine: machineOf({ entry: actions, exit: actions, on: { OrderCreated: { actions } } }) }),
    '',
  );
  const named = parts.extend({ actions: { remember: assign({}) } }) as unknown as typeof parts;
  assert.is(
    refusal({ machine: (named.createMachine as typeof machineOf)({ context: {}, entry: 'remember' }) }),
    '',
  );
});

test('a name must be in kebab-case, of at most 64 characters', () => {
  for (const name of ['OrderFulfilment', 'order_fulfilment', 'order--fulfilment', '', 'a'.repeat(65)]) {
    assert.match(refusal({ name }), /^The process .* needs a name in kebab-case of at most 64 characters/);
  }
});

test('a version is a positive integer', () => {
  for (const version of [0, 1.5, NaN]) assert.match(refusal({ version }), /needs a version: 1, 2, …\.$/);
});

test('a machine must be made with processSetup', () => {
  const machine = createMachine({});
  assert.match(refusal({ machine }), /needs a machine made with processSetup\(…\)\.createMachine\(…\)\.$/);
  assert.match(
    refusal({ older: { 1: machine } }),
    /needs machines made with processSetup in older, also for 1\.$/,
  );
});

test('a message stands under the name of its class', () => {
  const machine = processSetup({
    events: { Created: OrderCreated },
    commands: {},
    context: shape<object>(),
  }).createMachine({
    context: {},
  });
  assert.is(
    refusal({ machine }),
    "The process order-fulfilment names OrderCreated 'Created': the key must be the name of the class.",
  );
  const sending = processSetup({
    events: { OrderCreated },
    commands: { Cancel: CancelOrder },
    context: shape<object>(),
  });
  assert.match(refusal({ machine: sending.createMachine({ context: {} }) }), /names CancelOrder 'Cancel'/);
});

test('an audit cannot be a trigger', () => {
  const machine = processSetup({
    events: { EventAudited },
    commands: {},
    context: shape<object>(),
  }).createMachine({
    context: {},
  });
  assert.match(refusal({ machine, starts: [EventAudited] }), /waits for EventAudited, .* without end\.$/);
});

test('a process is started by events that it takes', () => {
  assert.match(refusal({ starts: [] }), /has no event that starts it/);
  assert.match(
    refusal({ starts: [OrderShipped] }),
    /is started by OrderShipped, which is not in its events\.$/,
  );
});

test('a process has no actors: nothing of invoke, spawn or sendTo would survive a restart', () => {
  const logic = fromPromise(() => Promise.resolve());
  const invoking = machineOf({ initial: 'a', states: { a: { invoke: { src: logic, systemId: 'mail' } } } });
  assert.is(
    refusal({ machine: invoking }),
    'The process order-fulfilment invokes an actor, which would not survive a restart: invoke or send a command instead in the state a.',
  );
  assert.match(
    refusal({ machine: fulfilment.provide({ actors: { ReserveStock: logic as never } }) }),
    /has actors/,
  );
  for (const action of [spawnChild(logic), sendTo('x', { type: 'y' }), emit({ type: 'z' })]) {
    assert.match(
      refusal({ machine: machineOf({ entry: action }) }),
      /runs the action xstate\.\w+, which would run again/,
    );
  }
});

test('a custom action is refused wherever it stands', () => {
  const sendMail = () => undefined;
  for (const config of [
    { entry: sendMail },
    { exit: [sendMail] },
    { on: { OrderCreated: { actions: sendMail } } },
    { after: { soon: { actions: [sendMail] } } },
    { initial: 'a', states: { a: { always: { guard: () => false, actions: sendMail } } } },
    { initial: { target: 'a', actions: sendMail }, states: { a: {} } },
    { initial: 'a', states: { a: { initial: 'b', states: { b: { entry: sendMail } } } } },
    { entry: 'sendMail' },
    { entry: { type: 'sendMail' } },
  ]) {
    assert.match(refusal({ machine: machineOf(config) }), /runs the action sendMail, which would run again/);
  }
  assert.match(refusal({ machine: machineOf({ entry: () => undefined }) }), /runs the action entry, which/);
  assert.match(refusal({ machine: machineOf({ entry: log('hello') }) }), /runs the action xstate\.log/);
});

test('a delay without a number would pass at once', () => {
  assert.match(refusal({ machine: machineOf({ after: { soon: {}, 100: {} } }) }), /^$/);
  assert.is(
    refusal({ machine: machineOf({ after: { later: {} } }) }),
    'The process order-fulfilment has no delay named later in the state (root).',
  );
});

test('a state cannot be named __proto__', () => {
  const states = JSON.parse('{"__proto__":{},"constructor":{}}') as object;
  assert.is(
    refusal({ machine: machineOf({ initial: 'constructor', states }) }),
    'The process order-fulfilment has a child named __proto__, which XState cannot keep, in the state (root).',
  );
});

test('a refusal can be awaited only of a command that is sent', () => {
  assert.match(
    refusal({ machine: machineOf({ on: { 'ShipOrder.refused': {} } }) }),
    /waits for ShipOrder\.refused, but does not send it/,
  );
});

test('an older machine is of an earlier version and passes the same checks', () => {
  assert.is(refusal({ older: { 1: machineOf({}) } }), '');
  const misnamed = processSetup({
    events: { Created: OrderCreated },
    commands: {},
    context: shape<object>(),
  }).createMachine({ context: {} });
  assert.match(refusal({ older: { 1: misnamed } }), /names OrderCreated 'Created'.*\(in older: 1\)\.$/);
  assert.match(refusal({ older: { 2: machineOf({}) } }), /has version 2, so older must not have 2/);
  assert.match(refusal({ older: { 1: machineOf({ entry: log() }) } }), /xstate\.log.*\(in older: 1\)\.$/);
});

test('a machine of plain setup with a send of its own is refused', () => {
  class Ship extends Command {}
  const machine = setup({ actions: { send: () => new Ship() } }).createMachine({ entry: 'send' });
  assert.match(refusal({ machine }), /needs a machine made with processSetup/);
});

test('a process with a route says who may see it and what they see', () => {
  const permission = 'authenticated';
  const view = () => ({});
  assert.is(refusal({ route: '/fulfilments', permission, view }), '');
  assert.match(refusal({ route: 'fulfilments/', permission, view }), /must start with '\/'/);
  assert.match(refusal({ route: '/fulfilments', view }), /has a route and no permission/);
  assert.match(refusal({ route: '/fulfilments', permission }), /has a route and no view/);
});

test('an event without a key is refused with one line', () => {
  const event = storedEvent(OrderCreated.of({ orderId: 'o' }));
  assert.is(keyOf(new OrderFulfilment(), event), 'o');
  for (const key of [undefined, '', 7, 'a\0', '\ud800', 'k'.repeat(1_025)]) {
    const process = { ...base, key: () => key as string };
    assert.throws(() => keyOf(process, event), /has no key for OrderCreated: key\(\) must return a text/);
  }
});
