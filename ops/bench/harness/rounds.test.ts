import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { interleave, valuesOf } from './rounds.js';

const test = suite('bench rounds');

const never = new AbortController().signal;

test('variants take turns', async () => {
  const turns: string[] = [];
  const variant = (name: string) => ({
    name,
    measure: () => Promise.resolve({ turn: turns.push(name) }),
  });
  const rounds = await interleave([variant('a'), variant('b')], 2, never);
  assert.equal(turns, ['a', 'b', 'a', 'b']);
  assert.equal(valuesOf(rounds, 'b', 'turn'), [2, 4]);
});

test('a figure nobody measured has no values', async () => {
  const rounds = await interleave([{ name: 'a', measure: () => Promise.resolve({}) }], 1, never);
  assert.equal(valuesOf(rounds, 'a', 'cpu'), []);
  assert.equal(valuesOf(rounds, 'b', 'cpu'), []);
});

test('an interrupted bench starts no further measurement', async () => {
  const interrupt = new AbortController();
  let measured = 0;
  const measure = () => {
    interrupt.abort(new TypeError('stopped'));
    return Promise.resolve({ n: ++measured });
  };
  const ended = await interleave([{ name: 'a', measure }], 9, interrupt.signal).catch(
    (error: unknown) => error,
  );
  assert.instance(ended, TypeError);
  assert.is(measured, 1);
});
