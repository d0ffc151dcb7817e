import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { timeoutFor } from './run-file.js';

test('A unit file has two minutes, a live file ten', () => {
  assert.is(timeoutFor('contracts/uuid.test.js', undefined), 120_000);
  assert.is(timeoutFor('runtime/outbox.live.test.js', undefined), 600_000);
});

test('The environment may set another time for all', () => {
  assert.is(timeoutFor('contracts/uuid.test.js', '500'), 500);
  assert.is(timeoutFor('runtime/outbox.live.test.js', '500'), 500);
});

test.run();
