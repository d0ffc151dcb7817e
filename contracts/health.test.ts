import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { worstOf } from './health.js';

const test = suite('health');

test('nothing to check is Healthy', () => {
  assert.is(worstOf([]), 'Healthy');
});

test('one Degraded check degrades the whole', () => {
  assert.is(worstOf(['Healthy', 'Degraded', 'Healthy']), 'Degraded');
});

test('one Unhealthy check makes the whole Unhealthy, whatever the others say', () => {
  assert.is(worstOf(['Degraded', 'Unhealthy', 'Healthy']), 'Unhealthy');
});

test.run();
