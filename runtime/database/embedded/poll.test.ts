import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { poll } from './poll.js';

const test = suite('poll');

test('asks again until there is an answer', async () => {
  const answers = [undefined, undefined, 'here'];
  assert.is(await poll(async () => answers.shift(), { everyMs: 1, withinMs: 1000 }), 'here');
  assert.is(answers.length, 0);
});

test('asks at least once and gives up in time', async () => {
  let asked = 0;
  const ask = async (): Promise<undefined> => void (asked += 1);
  assert.is(await poll(ask, { everyMs: 1, withinMs: 0 }), undefined);
  assert.is(asked, 1);
});

test('a failure ends the asking', async () => {
  const failing = poll(() => Promise.reject(new TypeError('broken')), { everyMs: 1, withinMs: 1000 });
  assert.instance(await failing.catch((error: unknown) => error), TypeError);
});

test.run();
