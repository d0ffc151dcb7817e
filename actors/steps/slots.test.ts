import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Slots } from './slots.js';

const test = suite('slots of a host');

const takeAll = (slots: Slots, name: string): number => {
  let taken = 0;
  for (; slots.mayTake(name); taken++) slots.take(name);
  return taken;
};

test('one name gets most of them, and each other one a share of what is left', () => {
  const slots = new Slots(256);
  const names = ['a', 'b', 'c', 'd', 'e'];
  assert.equal(
    names.map((name) => takeAll(slots, name)),
    [192, 48, 12, 3, 1],
  );
  assert.is(slots.free, 0);
  assert.equal(slots.full, names);
});

test('what is given back can be taken by others', () => {
  const slots = new Slots(8);
  assert.is(takeAll(slots, 'a'), 6);
  slots.giveBack('a');
  assert.is(takeAll(slots, 'b'), 3);
  assert.not(slots.mayTake('a'));
  for (let n = 0; n < 5; n++) slots.giveBack('a');
  assert.is(takeAll(slots, 'b'), 3);
  assert.is(slots.free, 2);
});

test('a slot is enough for everybody, one after the other', () => {
  const slots = new Slots(1);
  assert.is(takeAll(slots, 'a'), 1);
  slots.giveBack('a');
  assert.is(takeAll(slots, 'b'), 1);
});
