import * as assert from 'uvu/assert';
import { type AnyActorLogic, createActor } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import { compiledChart } from '../steps/compiled-chart.js';
import { mustBeFlat } from '../testing/flat-chart.js';
import { effectMachine } from './effect-machine.js';

const test = suite('machine of an effect');

const ends = ['done', 'failed', 'retrying', 'later', 'stopped', 'parked', 'gone', 'unheard of'];

const after = (logic: AnyActorLogic, ...path: readonly string[]) => {
  const actor = createActor(logic).start();
  for (const type of path) actor.send({ type });
  const { value, status } = actor.getSnapshot() as { readonly value: string; readonly status: string };
  return { value, status };
};

test('compiled, it responds to every event in every state like the machine', () => {
  const chart = compiledChart(effectMachine);
  const paths = [[], ['claimed'], ...ends.map((end) => ['claimed', end])];
  for (const path of paths)
    for (const next of [...ends, 'claimed'])
      assert.equal(
        after(chart, ...path, next),
        after(effectMachine, ...path, next),
        `${path.join()} ${next}`,
      );
  assert.equal(after(chart, 'claimed', 'retrying'), { value: 'waiting', status: 'active' });
  assert.equal(after(chart, 'claimed', 'done'), { value: 'done', status: 'done' });
});

test('it has only what a table can hold', () => mustBeFlat(effectMachine));
