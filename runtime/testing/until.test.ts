import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from './until.js';

const test = suite('until');

test('the wait ends when the condition holds, and returns its duration', async () => {
  const started = performance.now();
  const ms = await until(() => performance.now() > started + 30);
  assert.ok(ms >= 30);
});

test('a condition that never holds is a failure', async () => {
  const failure = await until(() => Promise.resolve(false), 20).catch((error: unknown) => error);
  assert.match(String(failure), 'waited 20 ms in vain');
});

test.run();
