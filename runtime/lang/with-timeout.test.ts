import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withTimeout } from './with-timeout.js';

const test = suite('with timeout');

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test('a promise that settles in time decides the result', async () => {
  const bad = new RangeError('bad');
  assert.is(await withTimeout(1_000, Promise.resolve(7)), 7);
  assert.is(await failureOf(withTimeout(1_000, Promise.reject(bad))), bad);
});

test('a promise that does not settle in time is a problem', async () => {
  const failure = await failureOf(withTimeout(5, new Promise(() => undefined)));
  assert.ok(failure instanceof Problem && failure.code === 'deadline-exceeded');
});
