import * as assert from 'uvu/assert';
import type { Long } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { HeldCursor, UnitLists } from '../../contracts/unit-lists.js';
import { newUuid } from '../../contracts/uuid.js';
import { encodeUnit } from './encode-unit.js';
import type { EncodedUnit } from './encode-unit.js';
import { listsOfUnits } from './flush-lists.js';

const test = suite('lists of a flush');

test('a flush of which no unit has lists has none', () => {
  const { lists: _, ...plain } = unit({});
  assert.is(listsOfUnits([plain]), null);
  assert.is.not(listsOfUnits([plain, unit({ ended: [{ id: newUuid() }] })]), null);
});

test('units that touch different things are not mixed', () => {
  const cursor = held(0);
  const units = [1, 2].map((position) =>
    unit({
      handled: [{ cursor, position, key: 'same' }],
      ended: [{ id: newUuid() }, { id: newUuid() }],
      reservations: [{ key: newUuid(), name: 'email', owner: 'ada', take: true }],
    }),
  );
  assert.is(isMixed(units), false);
});

test('units that touch the same thing are mixed, and so is a key that one of them moves', () => {
  const cursor = held(0);
  const id = newUuid();
  const mark = (position: Long) => unit({ handled: [{ cursor, position, key: 'k' }] });
  const moves = unit({
    aside: [
      { cursor, key: 'k', from: 1, next: 0, state: 'retrying', attempts: 0, retryInMs: 0, error: null },
    ],
  });
  assert.is(isMixed([mark(1), mark(1)]), true);
  assert.is(isMixed([mark(1), moves]), true);
  assert.is(isMixed([moves]), false);
  assert.is(isMixed([unit({ ended: [{ id }] }), unit({ ended: [{ id }] })]), true);
});

test('what is settled is asked for when the flush is built', () => {
  let asked = 0;
  const cursor: HeldCursor = { name: 'line', epoch: 1, settledTo: () => ++asked };
  const encoded = unit({ handled: [{ cursor, position: 7, key: 'k' }] });
  assert.is(asked, 0);
  listsOfUnits([encoded]);
  assert.is(asked, 1);
});

function unit(lists: Partial<UnitLists>): EncodedUnit {
  const empty = { handled: [], aside: [], timers: [], ended: [], reservations: [], processes: [] };
  const staged = { events: [], records: [], expected: new Map(), lists: { ...empty, ...lists } };
  return encodeUnit(staged, Date.now());
}

function held(low: Long): HeldCursor {
  return { name: 'line', epoch: 1, settledTo: () => low };
}

/** The first column of the row, behind its type and length. */
const isMixed = (units: readonly EncodedUnit[]): boolean => listsOfUnits(units)?.[12] === 1;
