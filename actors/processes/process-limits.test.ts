import * as assert from 'uvu/assert';
import { enqueueActions, raise } from 'xstate';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { InMemoryProcess } from '../kit/in-memory-process.js';
import { OrderFulfilment } from '../testing/order-fulfilment.js';
import { processStep } from './process-step.js';
import {
  orderId,
  created,
  Pong,
  small,
  processOf,
  ping,
  codeOf,
  detailOf,
} from '../testing/stepped-processes.js';

const test = suite('what parks a process');

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
