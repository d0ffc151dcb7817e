import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { evaluate } from './targets.js';

const test = suite('bench targets');

const rounds = new Map([
  ['ours', [{ rate: 80 }, { rate: 8 }, { rate: 90 }]],
  ['plain', [{ rate: 100 }, { rate: 10 }, { rate: 100 }]],
]);

test('a ratio that reaches its target passes', () => {
  const verdict = evaluate({ figure: 'rate', of: 'ours', against: 'plain', atLeast: 0.8 }, rounds);
  assert.is(verdict.median, 0.8);
  assert.is(verdict.verdict, 'pass');
});

test('a ratio below its target is short', () => {
  assert.is(
    evaluate({ figure: 'rate', of: 'ours', against: 'plain', atLeast: 0.81 }, rounds).verdict,
    'short',
  );
});

test('a figure by itself may have an upper limit', () => {
  assert.is(evaluate({ figure: 'rate', of: 'plain', atMost: 100 }, rounds).verdict, 'pass');
  assert.is(evaluate({ figure: 'rate', of: 'plain', atMost: 99 }, rounds).verdict, 'short');
});

test('a target against a missing peer is not measured, and so not passed', () => {
  const bar = { figure: 'rate', of: 'ours', against: 'peer', atLeast: 0 };
  assert.is(evaluate(bar, rounds).verdict, 'not measured');
});

test('a target for every round is judged by the worst round', () => {
  const found = new Map([['restart', [{ failed: 0 }, { failed: 0 }, { failed: 2 }]]]);
  const bar = { figure: 'failed', of: 'restart', atMost: 0 };
  assert.is(evaluate(bar, found).verdict, 'pass');
  assert.is(evaluate({ ...bar, inEveryRound: true }, found).verdict, 'short');
});
