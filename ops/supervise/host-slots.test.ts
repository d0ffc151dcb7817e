import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { HostProcess } from './host-process.js';
import { HostSlot } from './host-slot.js';
import { HostSlots } from './host-slots.js';

const test = suite('host slots');

const never = (): HostProcess => assert.unreachable('no host is started') as never;
const slots = () => new HostSlots((number) => new HostSlot(`north-${number}`, never, () => undefined));
const names = (list: readonly HostSlot[]) => list.map(({ name }) => name);

test('added slots get the next free numbers', () => {
  const three = slots();
  assert.equal(names(three.growTo(3)), ['north-1', 'north-2', 'north-3']);
  assert.equal(names(three.growTo(4)), ['north-4']);
  assert.equal(three.growTo(2), []);
});

test('the highest numbers leave; each keeps its number until its host has exited', () => {
  const three = slots();
  three.growTo(3);
  const [second, third] = three.shrinkTo(1);
  assert.equal([second?.name, third?.name], ['north-2', 'north-3']);
  assert.equal(three.shrinkTo(1), []);
  assert.equal(names(three.staying), ['north-1']);
  if (second !== undefined) three.delete(second);
  assert.equal(names(three.growTo(3)), ['north-2', 'north-4']);
  assert.equal(names(three.all), ['north-1', 'north-2', 'north-3', 'north-4']);
  assert.equal(names(three.staying), ['north-1', 'north-2', 'north-4']);
});

test('all slots may leave', () => {
  const two = slots();
  assert.equal(names(two.growTo(2)), names(two.shrinkTo(0)));
  assert.equal(two.staying, []);
});
