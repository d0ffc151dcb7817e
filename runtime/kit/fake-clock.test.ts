import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { fakeClock } from './fake-clock.js';

const test = suite('fake clock');

test('the clock starts at the given time and stands still', () => {
  const clock = fakeClock('2026-01-02T03:04:05.006Z');
  assert.is(new Date(clock.now()).toISOString(), '2026-01-02T03:04:05.006Z');
  assert.is(fakeClock(42).now(), 42);
  assert.is(fakeClock().now(), 0);
});

test('time moves only when the test advances it', () => {
  const clock = fakeClock(1000);
  clock.advance(500);
  assert.is(clock.now(), 1500);
});

test('a timer runs once, when it is due and not before', () => {
  const clock = fakeClock();
  let runs = 0;
  clock.after(100, () => runs++);
  clock.advance(99);
  assert.is(runs, 0);
  clock.advance(1);
  assert.is(runs, 1);
  clock.advance(1000);
  assert.is(runs, 1);
});

test('the time advances by milliseconds, or by a duration', () => {
  const clock = fakeClock('2026-03-01T00:00:00Z');
  clock.advance('P28D');
  clock.advance(500);
  assert.is(new Date(clock.now()).toISOString(), '2026-03-29T00:00:00.500Z');
});

test('a timer sees the time at which it is due', () => {
  const clock = fakeClock();
  let seen = 0;
  clock.after(100, () => (seen = clock.now()));
  clock.advance(1000);
  assert.is(seen, 100);
  assert.is(clock.now(), 1000);
});

test('a cancelled timer does not run', () => {
  const clock = fakeClock();
  let runs = 0;
  const cancel = clock.after(100, () => runs++);
  cancel();
  clock.advance(1000);
  assert.is(runs, 0);
});

test('a timer set by a timer runs in the same advance if it is due within it', () => {
  const clock = fakeClock();
  const ticks: number[] = [];
  const tick = () => {
    ticks.push(clock.now());
    clock.after(100, tick);
  };
  clock.after(100, tick);
  clock.advance(350);
  assert.equal(ticks, [100, 200, 300]);
});

test('timers run in order of time; at the same time, in the order they were set', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), (delays) => {
      const clock = fakeClock();
      const ran: number[] = [];
      delays.forEach((delay, index) => clock.after(delay, () => ran.push(index)));
      clock.advance(20);
      const expected = delays
        .map((_, index) => index)
        .toSorted((a, b) => (delays[a] ?? 0) - (delays[b] ?? 0));
      assert.equal(ran, expected);
    }),
  );
});
