import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Account } from '../testing/account-decider.js';
import type { HeldState } from './evolve.js';
import { StateCache } from './state-cache.js';

const test = suite('state cache');

const account = new Account();
const held = (position: number, more: Partial<HeldState> = {}): HeldState => ({
  state: { balance: position },
  position,
  eventId: `event ${position}`,
  isSealed: false,
  isStored: true,
  keptAt: 0,
  forgets: 0,
  ...more,
});
const positionIn = (cache: StateCache, streamId = 'a') => cache.get(account, streamId)?.held.position;

test('a state never replaces a newer one', () => {
  const cache = new StateCache();
  cache.put(account, 'a', held(2), true);
  cache.put(account, 'a', held(1), true);
  assert.is(positionIn(cache), 2);
  cache.put(account, 'a', held(3), true);
  assert.is(positionIn(cache), 3);
});

test('deciders and their versions have states of their own', () => {
  const cache = new StateCache();
  cache.put(account, 'a', held(2), true);
  assert.is(cache.get(Object.assign(new Account(), { version: 2 }), 'a'), undefined);
  assert.is(cache.get(Object.assign(new Account(), { name: 'other' }), 'a'), undefined);
});

test('the streams used last stay, by their number and the size of their states', () => {
  const few = new StateCache({ maxStreams: 2, maxCharacters: 10_000 });
  for (const streamId of ['a', 'b', 'c']) few.put(account, streamId, held(1), true);
  assert.equal([few.size, positionIn(few, 'a'), positionIn(few, 'c')], [2, undefined, 1]);
  const small = new StateCache({ maxStreams: 100, maxCharacters: 10_000 });
  for (const streamId of ['a', 'b', 'c'])
    small.put(account, streamId, held(1, { state: ['x'.repeat(4_000)] }), true);
  assert.equal([small.size, positionIn(small, 'a'), positionIn(small, 'c')], [2, undefined, 1]);
});

test('a state that grows is measured again', () => {
  const cache = new StateCache({ maxStreams: 100, maxCharacters: 10_000 });
  for (let position = 1; position <= 100; position++)
    cache.put(account, 'a', held(position, { state: 'x'.repeat(position * 200) }), true);
  assert.is(cache.size, 0);
});

test('a state that is no plain JSON data is not cached, and a cycle ends', () => {
  const cache = new StateCache();
  const cycle: unknown[] = [];
  cycle.push(cycle);
  for (const state of [new Map(), { at: new Date() }, [1n], { of: Number.NaN }, cycle]) {
    cache.put(account, 'a', held(1, { state }), true);
    assert.is(cache.size, 0);
  }
  cache.put(account, 'a', held(1, { state: { a: undefined, b: [null, true, 'x', 1] } }), true);
  assert.is(cache.size, 1);
});

test('when a subject is forgotten, states with sealed values go, and one that was read before does not come back', () => {
  const cache = new StateCache();
  cache.put(account, 'a', held(1, { isSealed: true }), true);
  cache.put(account, 'b', held(1), true);
  cache.dropSealed();
  assert.equal([positionIn(cache, 'a'), positionIn(cache, 'b')], [undefined, 1]);
  cache.put(account, 'a', held(2, { isSealed: true }), true);
  assert.is(positionIn(cache, 'a'), undefined);
  cache.put(account, 'a', held(2, { isSealed: true, forgets: 1 }), true);
  assert.is(positionIn(cache, 'a'), 2);
});

test('a doubted state stays, and is sure again when it is read', () => {
  const cache = new StateCache();
  cache.put(account, 'a', held(1), true);
  cache.doubt(account, 'a');
  assert.is(cache.get(account, 'a')?.isSure, false);
  cache.put(account, 'a', held(1), true);
  assert.is(cache.get(account, 'a')?.isSure, true);
});
