import * as assert from 'uvu/assert';
import { worstOf } from './health.js';
import { suite } from './testing/suite.js';

const test = suite('health');

test('no checks at all is Healthy', () => {
  assert.is(worstOf([]), 'Healthy');
});

test('one Degraded check degrades the whole service', () => {
  assert.is(worstOf(['Healthy', 'Degraded', 'Healthy']), 'Degraded');
});

test('one Unhealthy check makes the whole service Unhealthy, whatever the others report', () => {
  assert.is(worstOf(['Degraded', 'Unhealthy', 'Healthy']), 'Unhealthy');
});
