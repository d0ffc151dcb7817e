import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withFakeTimeouts } from './fake-timeouts.js';

const test = suite('fake timeouts');

test('a timeout ends when the clock reaches it', () =>
  withFakeTimeouts((clock) => {
    const ended: string[] = [];
    setTimeout(() => ended.push('late'), 20).unref();
    setTimeout(() => ended.push('early'), 10).ref();
    clearTimeout(setTimeout(() => ended.push('never'), 5));
    clock.advance(10);
    assert.equal(ended, ['early']);
    clock.advance(10);
    assert.equal(ended, ['early', 'late']);
  }));

test('the real timeouts are restored afterwards, also after a failure', async () => {
  const real = setTimeout;
  const failing = withFakeTimeouts(() => {
    assert.is.not(setTimeout, real);
    throw new TypeError('broken');
  });
  assert.instance(await failing.catch((error: unknown) => error), TypeError);
  assert.is(setTimeout, real);
});

test.run();
