import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { fakeClock } from '../../runtime/kit/fake-clock.js';
import { EventWindows } from './event-windows.js';

const test = suite('event windows');

const minute = 60_000;

function recording(individually = 1) {
  const clock = fakeClock();
  const windows = new EventWindows(clock);
  const emitted: { readonly key: string; readonly at: number; readonly count: number }[] = [];
  const add = (key: string) =>
    windows.add('ann', key, individually, (at, count) => emitted.push({ key, at, count }));
  const texts = () => emitted.splice(0).map(({ key, at, count }) => `${key} ${at} ${count}`);
  return { clock, windows, add, emitted, texts };
}

test('the first event of a key is emitted at once, the further ones of the minute as one with their count', () => {
  const { clock, add, texts } = recording();
  add('a');
  clock.advance(1_000);
  add('a');
  add('b');
  clock.advance(1_000);
  add('a');
  assert.equal(texts(), ['a 0 1', 'b 1000 1']);
  clock.advance(minute - 2_001);
  assert.equal(texts(), []);
  clock.advance(1);
  assert.equal(texts(), ['a 2000 2'], 'at the time of the last');
});

test('after its minute a key starts again; one that was not repeated is not emitted twice', () => {
  const { clock, windows, add, texts } = recording();
  add('a');
  clock.advance(minute);
  assert.is(windows.size, 0);
  add('a');
  assert.equal(texts(), ['a 0 1', `a ${minute} 1`]);
});

test('a limit lets the first few through one by one', () => {
  const { clock, add, texts } = recording(3);
  for (let n = 0; n < 8; n++) add('a');
  clock.advance(minute);
  assert.equal(texts(), ['a 0 1', 'a 0 1', 'a 0 1', 'a 0 5']);
});

test('of too many keys the oldest is closed early, so that memory is bounded', () => {
  const { windows, add, emitted } = recording();
  add('first');
  add('first');
  for (let n = 0; n < 10_000; n++) add(`key ${n}`);
  assert.is(windows.size, 4_096);
  assert.ok(emitted.some(({ key, count }, index) => key === 'first' && count === 1 && index > 0));
});

test('a flush emits what waits and leaves no timer', () => {
  const { clock, windows, add, texts } = recording();
  for (const key of ['a', 'a', 'a', 'b']) add(key);
  windows.flush();
  assert.equal(texts(), ['a 0 1', 'b 0 1', 'a 0 2']);
  assert.is(windows.size, 0);
  clock.advance(10 * minute);
  assert.equal(texts(), []);
});

test('whatever happens when, the counts of a key add up to its occurrences', () => {
  const step = fc.oneof(
    fc.record({ key: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ ms: fc.oneof(fc.nat(2_000), fc.nat(2 * minute)) }),
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 200 }),
      fc.integer({ min: 1, max: 10 }),
      (steps, individually) => {
        const { clock, windows, add, emitted } = recording(individually);
        const added = new Map<string, number>();
        for (const one of steps) {
          if ('ms' in one) clock.advance(one.ms);
          else {
            add(one.key);
            added.set(one.key, (added.get(one.key) ?? 0) + 1);
          }
        }
        windows.flush();
        for (const [key, times] of added) {
          const counts = emitted.filter((each) => each.key === key).map(({ count }) => count);
          assert.is(
            counts.reduce((sum, count) => sum + count, 0),
            times,
          );
          const minutes = Math.ceil((clock.now() + 1) / minute);
          assert.ok(counts.length <= minutes * (individually + 1), `${counts.length} events`);
        }
      },
    ),
  );
});
