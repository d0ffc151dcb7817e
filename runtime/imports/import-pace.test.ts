import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { ImportPace } from './import-pace.js';

const test = suite('pace of an import');

/** Rows that take this long each; returns how long the last lock was held. */
function settled(pace: ImportPace, msPerRow: number, waitedMs: number): number {
  let lockedMs = 0;
  for (let round = 0; round < 50; round++) {
    lockedMs = pace.rows * msPerRow;
    pace.next({ rows: pace.rows, lockedMs, waitedMs });
  }
  return lockedMs;
}

test('while commits wait for the lock, it is held for a few milliseconds at a time, and left for as long', () => {
  const pace = new ImportPace();
  for (const msPerRow of [0.005, 0.01, 0.05]) {
    const lockedMs = settled(pace, msPerRow, 3);
    assert.ok(lockedMs <= 5, String(lockedMs));
    assert.is(pace.next({ rows: pace.rows, lockedMs, waitedMs: 3 }), lockedMs);
  }
});

test('nobody waits: more rows at a time, without a pause', () => {
  const pace = new ImportPace();
  assert.ok(settled(pace, 0.01, 0) > 15);
  assert.is(pace.next({ rows: pace.rows, lockedMs: 10, waitedMs: 0 }), 0);
});

test('whatever the clocks say, some rows are stored, and not too many', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          lockedMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
          waitedMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
        }),
      ),
      (rounds) => {
        const pace = new ImportPace();
        for (const round of rounds) {
          pace.next({ rows: pace.rows, ...round });
          assert.ok(pace.rows >= 20 && pace.rows <= 5_000 && Number.isInteger(pace.rows), String(pace.rows));
        }
      },
    ),
  ));
