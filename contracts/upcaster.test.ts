import * as assert from 'uvu/assert';
import { Event } from './message.js';
import type { Problem } from './problems.js';
import { suite } from './testing/suite.js';
import { type Upcaster, Upcasters } from './upcaster.js';

const test = suite('upcaster');

class OrderCreated extends Event {
  static readonly version = 3;
}

interface First {
  readonly name: string;
}
const split: Upcaster = {
  type: OrderCreated,
  from: 1,
  up: ({ name, ...rest }: First) => ({ ...rest, names: name.split(' ') }),
};
const count: Upcaster = {
  type: 'OrderCreated',
  from: 2,
  up: (order: { names: string[] }) => ({ ...order, count: order.names.length }),
};

const upcasters = (...list: Upcaster[]): Upcasters => {
  const own = new Upcasters();
  own.add(list);
  return own;
};
const stored = (payload: unknown, v: number, messageType = 'OrderCreated') => ({ messageType, payload, v });
const refusal = (act: () => unknown): Problem => {
  try {
    act();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('nothing was thrown');
};

test('an old event is upcast through every later version', () => {
  const read = upcasters(count, split).apply(stored({ name: 'Ada Lovelace', gift: true }, 1));
  assert.equal(read, stored({ gift: true, names: ['Ada', 'Lovelace'], count: 2 }, 3));
});

test('an event starts at its own version, and the newest is left unchanged', () => {
  const own = upcasters(split, count);
  assert.equal(own.apply(stored({ names: [] }, 2)), stored({ names: [], count: 0 }, 3));
  const newest = stored({ whatever: 1 }, 3);
  assert.is(own.apply(newest), newest);
});

test('an event written by a newer host is left unchanged', () => {
  const newer = stored({ future: true }, 9);
  assert.is(upcasters(split, count).apply(newer), newer);
});

test('missing upcasters are known before anything is read', () => {
  const known = (...list: Upcaster[]): Upcasters => {
    const own = upcasters(...list);
    own.registerVersions([OrderCreated]);
    return own;
  };
  assert.equal(known().missing, [{ type: 'OrderCreated', version: 3, from: [1, 2] }]);
  assert.equal(known(count).missing, [{ type: 'OrderCreated', version: 3, from: [1] }]);
  assert.equal(known(split, count).missing, []);
});

test('other types are left unchanged, whatever fields they have', () => {
  const other = stored({ unknown: { deep: 1 } }, 1, 'OrderShipped');
  assert.is(upcasters(split, count).apply(other), other);
});

test('the error for a missing step names it and how to register it', () => {
  const later: Upcaster = { type: 'OrderCreated', from: 3, up: (order) => order };
  const problem = refusal(() => upcasters(split, later).apply(stored({ name: 'A' }, 1)));
  assert.is(problem.code, 'missing-upcaster');
  assert.match(problem.message, /OrderCreated is stored in version 1.*from version 2 to 3.*addUpcasters/);
});

test('old events of a registered class need an upcaster to its version', () => {
  const own = new Upcasters();
  own.registerVersions([OrderCreated]);
  assert.is(refusal(() => own.apply(stored({}, 1))).code, 'missing-upcaster');
  assert.is(refusal(() => upcasters(split).apply(stored({ name: 'A' }, 1))).code, 'missing-upcaster');
});

test('only types with a later version need upcasting', () => {
  const own = upcasters(split, count);
  assert.is(own.mayApply(['OrderShipped', 'OrderCreated']), true);
  assert.is(own.mayApply(['OrderShipped']), false);
  assert.is(own.mayApply([]), false);
});

test('two upcasters for one step, or one from no version, are rejected when they are added', () => {
  assert.match(refusal(() => upcasters(split, split)).message, /two upcasters from version 1/);
  for (const from of [0, -1, 1.5, Number.NaN])
    assert.match(refusal(() => upcasters({ ...split, from })).message, /versions count from 1/);
});
