import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from './testing/suite.js';
import type * as Uuids from './uuid.js';
import { newUuid } from './uuid.js';

const test = suite('uuid');

/** A generator with its own clock, so that made-up times affect no other test. */
async function freshGenerator(): Promise<(now: number) => string> {
  const url = new URL(`./uuid.js?${newUuid()}`, import.meta.url).href;
  return ((await import(url)) as typeof Uuids).newUuid;
}

const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

test('an id is a UUIDv7: 48 bits of time, version 7, variant 10', async () => {
  const next = await freshGenerator();
  const id = next(0x0123_4567_89ab);
  assert.match(id, /^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('an id contains its creation time', async () => {
  const next = await freshGenerator();
  const now = Date.now();
  assert.is(timeOf(next(now)), now);
  assert.is(timeOf(next(now + 1500)), now + 1500);
});

test('ids sort in the order of their creation and never repeat', () => {
  const ids = Array.from({ length: 100_000 }, () => newUuid());
  const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1));
  assert.ok(ids.every((id, index) => id === sorted[index]));
  assert.is(new Set(ids).size, ids.length);
});

test('a millisecond has room for two thousand ids', async () => {
  const next = await freshGenerator();
  const now = Date.now();
  const times = new Set(Array.from({ length: 2000 }, () => timeOf(next(now))));
  assert.equal([...times], [now]);
});

test('more ids than a millisecond can count still sort in their order', async () => {
  const next = await freshGenerator();
  const now = Date.now();
  const ids = Array.from({ length: 10_000 }, () => next(now));
  assert.ok(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? '')));
});

test('ids stay in order whatever the clock does', async () => {
  const next = await freshGenerator();
  let last = '';
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 40 }), (now) => {
      const id = next(now);
      const after = id > last;
      last = id;
      return after;
    }),
    { numRuns: 2000 },
  );
});

test('the random part differs even when the time is the same', async () => {
  const next = await freshGenerator();
  const tails = new Set(Array.from({ length: 5000 }, () => next(1).slice(19)));
  assert.is(tails.size, 5000);
});
