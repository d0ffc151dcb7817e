import * as assert from 'uvu/assert';
import { createActor, fromCallback, setup } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import { stopOrphansOf } from './stop-orphaned-actors.js';

const test = suite('stop orphans');

test('the actors that a machine had invoked before it threw are stopped', () => {
  let held = 0;
  const machine = setup({
    actors: {
      holder: fromCallback(() => {
        held++;
        return () => void held--;
      }),
    },
    actions: {
      fall: () => {
        throw new RangeError('a hole in the ground');
      },
    },
  }).createMachine({
    invoke: { src: 'holder', onError: {} },
    on: { go: { actions: 'fall' } },
  });
  const actor = createActor(machine);
  actor.subscribe({ error: () => undefined });
  actor.start();
  actor.send({ type: 'go' });
  assert.equal([actor.getSnapshot().status, held], ['error', 1]);
  stopOrphansOf(actor);
  assert.is(held, 0);
});
