import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { LogThrottle } from './log-throttle.js';

const test = suite('log throttle');

test('a repeated line is written twenty times a minute, and the rest are counted', () => {
  let now = 0;
  const due: { readonly inMs: number; readonly count: () => number }[] = [];
  const lines = new LogThrottle(
    (_text, inMs, count) => due.push({ inMs, count }),
    () => now,
  );
  const written = (times: number) =>
    Array.from({ length: times }, () => lines.mayWrite('no store')).filter(Boolean);
  assert.is(written(15).length, 15);
  now = 20_000;
  assert.is(written(5_000).length, 5);
  assert.equal(
    due.map(({ inMs, count }) => [inMs, count()]),
    [[40_000, 4_995]],
  );
  assert.ok(lines.mayWrite('another line'));
  now = 60_000;
  assert.is(written(30).length, 20);
  assert.is(due.length, 2);
});

test('an unlimited number of texts does not fill the memory', () => {
  const lines = new LogThrottle(() => undefined);
  for (let n = 0; n < 10_000; n++) assert.ok(lines.mayWrite(`line ${n}`));
});
