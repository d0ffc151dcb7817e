import * as assert from 'uvu/assert';
import { createActor, fromCallback, fromPromise, setup } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import { withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { startStoppable } from './start-stoppable-actor.js';

const test = suite('start stoppable');

/** Works until it is stopped, then finishes its current work. */
function worker() {
  let [held, finish] = [0, () => {}];
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const machine = setup({
    actors: {
      working: fromCallback(() => {
        held++;
        return () => void held--;
      }),
      finishing: fromPromise(() => finished),
    },
    actions: {
      fall: () => {
        throw new RangeError('a hole in the ground');
      },
    },
  }).createMachine({
    initial: 'working',
    states: {
      working: {
        invoke: { src: 'working', onError: {} },
        on: { stop: 'finishing', fall: { actions: 'fall' } },
      },
      finishing: { invoke: { src: 'finishing', onDone: 'stopped', onError: 'stopped' } },
      stopped: { type: 'final' },
    },
  });
  return { actor: createActor(machine), finish, held: () => held };
}

test('stopping waits for the current work', async () => {
  const { actor, finish } = worker();
  const stop = startStoppable(actor);
  let stopped = false;
  const stopping = stop().then(() => (stopped = true));
  await new Promise(setImmediate);
  assert.not(stopped);
  finish();
  await stopping;
  assert.is(actor.getSnapshot().value, 'stopped');
});

test('a crash is reported, nothing it had started continues, and stopping it does not fail', async () => {
  const { actor, held } = worker();
  let crash: unknown;
  const stop = startStoppable(actor, (error) => (crash = error));
  assert.is(held(), 1);
  actor.send({ type: 'fall' });
  await stop();
  assert.equal([String(crash), held()], ['RangeError: a hole in the ground', 0]);
});

test('what does not stop within four seconds is ended', () =>
  withFakeTimeouts(async (clock) => {
    const { actor } = worker();
    const stopping = startStoppable(actor)();
    clock.advance(4_000);
    await stopping;
    assert.equal([actor.getSnapshot().status, actor.getSnapshot().value], ['stopped', 'finishing']);
  }));
