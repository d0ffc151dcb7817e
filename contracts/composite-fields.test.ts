import * as assert from 'uvu/assert';
import { group, listOf, mapOf, setOf } from './composite-fields.js';
import { type Field, int, optional, text, withDefault, type RequiredField } from './fields.js';
import type { Fault } from './problems.js';
import { suite } from './testing/suite.js';

const test = suite('composite-fields');

/** Turns text into upper case, to show which items passed through their field. */
const loud: RequiredField<string> = { ...text, keep: (given) => given.toUpperCase() };
const address = group({ street: text, floor: optional(int), country: withDefault(text, 'NL') });

const faultsOf = (field: Field, value: unknown, path: string): readonly Fault[] => {
  const faults: Fault[] = [];
  field.check(value, path, faults);
  return faults;
};

test('a list keeps its items in order, each through its field', () => {
  const given = ['b', 'a', 'b'];
  assert.equal(listOf(loud).keep(given), ['B', 'A', 'B']);
  assert.equal(given, ['b', 'a', 'b']);
});

test('a set accepts a list or a Set and keeps a list without duplicates', () => {
  assert.equal(setOf(loud).keep(['b', 'a', 'B']), ['B', 'A']);
  assert.equal(setOf(loud).keep(new Set(['x', 'X'])), ['X']);
});

test('a map keeps every name, even an odd one', () => {
  const kept = mapOf(loud).keep(JSON.parse('{"a":"x","__proto__":"y"}') as Record<string, string>);
  assert.is(JSON.stringify(kept), '{"a":"X","__proto__":"Y"}');
});

test('a group keeps its own fields in their order and drops all others', () => {
  const given = { extra: 1, country: 'BE', street: 'Meir' };
  assert.is(JSON.stringify(address.keep(given)), '{"street":"Meir","country":"BE"}');
});

test('an absent field of a group is left out or filled by its default', () => {
  assert.equal(address.keep({ street: 'Dam', floor: undefined }), { street: 'Dam', country: 'NL' });
});

test('null for a field that need not be given counts as absent', () => {
  const given = { street: 'Dam', floor: null, country: null };
  assert.equal(Reflect.apply(address.keep, undefined, [given]), { street: 'Dam', country: 'NL' });
});

test('a default list is a new one every time', () => {
  const tags = group({ tags: withDefault(listOf(text), []) });
  assert.is.not(tags.keep({}).tags, tags.keep({}).tags);
});

test('a nested fault is reported at its JSON Pointer', () => {
  assert.equal(faultsOf(listOf(text), ['a', 1], '/names'), [
    { path: '/names/1', message: 'must be a string' },
  ]);
  assert.equal(faultsOf(mapOf(text), { 'a/b~c': 1 }, '/scope'), [
    { path: '/scope/a~1b~0c', message: 'must be a string' },
  ]);
  assert.equal(faultsOf(listOf(address), [{ floor: 'two' }], ''), [
    { path: '/0/street', message: 'is required' },
    { path: '/0/floor', message: 'must be a 32-bit integer' },
    { path: '/0/country', message: 'is required' },
  ]);
});

test('a value that is not a list, map or group is kept as given and reported as a fault', () => {
  const rows = [
    [listOf(text), 'abc', 'must be an array'],
    [setOf(text), 7, 'must be an array'],
    [mapOf(text), ['a'], 'must be an object'],
    [address, null, 'must be an object'],
  ] as const;
  for (const [field, given, message] of rows) {
    const kept: unknown = Reflect.apply(field.keep, undefined, [given]);
    assert.is(kept, given);
    assert.equal(faultsOf(field, kept, '/it'), [{ path: '/it', message }]);
  }
});
