import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { strategies } from './steps.js';
import { simulate } from './testing/simulated-run.js';

const test = suite('the target of a deployment');

for (const strategy of strategies)
  test(`${strategy}: checks that fail end a deployment before its driver prepares anything`, async () => {
    const { outcome, deployment, calls, prepared } = await simulate(strategy, { failingGate: 'pre' });
    assert.equal(outcome, {
      state: 'reverted',
      reason: 'the pre-deployment checks failed: no database',
    });
    assert.equal([deployment.state, deployment.step, prepared], ['reverted', 0, 0]);
    assert.equal(calls, []);
  });

test('the checks run once, and each step is noted once', async () => {
  const { gates, steps, prepared } = await simulate('blue-green');
  assert.equal(gates, ['pre', 'post']);
  assert.equal([prepared, steps.length], [1, 12]);
});

test('an abort while the checks run is taken', async () => {
  const { outcome, prepared } = await simulate('canary', { gateMs: 60_000, asked: [[1_000, 'abort']] });
  assert.equal([outcome, prepared], [{ state: 'reverted', reason: 'aborted by an operator' }, 0]);
});
