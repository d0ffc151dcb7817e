import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { durationOf, until, untilPasses } from './until.js';

const test = suite('until');

test('the wait ends when the condition holds, and returns its duration', async () => {
  let looks = 0;
  const ms = await until(() => ++looks > 5);
  assert.is(looks, 6);
  assert.ok(ms > 40, `${ms} ms for five pauses of ten`);
});

test('a condition that never holds is a failure', async () => {
  const failure = await until(() => Promise.resolve(false), 20).catch((error: unknown) => error);
  assert.match(String(failure), 'waited 20 ms in vain');
});

test('a machine that is too busy to look does not use up the time', async () => {
  let looks = 0;
  const ms = await until(() => {
    for (const end = performance.now() + 100; performance.now() < end;);
    return ++looks > 3;
  }, 200);
  assert.ok(ms <= 150, `${ms} ms for three pauses`);
});

test('a check is repeated until it passes', async () => {
  let tries = 0;
  await untilPasses(async () => assert.is(++tries, 3));
  assert.is(tries, 3);
});

test('the duration of work is counted in the same way, and its failure is thrown', async () => {
  const pause = new Promise((resolve) => setTimeout(resolve, 60));
  assert.ok((await durationOf(pause)) > 30);
  const failed = await durationOf(Promise.reject(new RangeError('no'))).catch((error: unknown) => error);
  assert.instance(failed, RangeError);
});
