import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonFault } from './json-fault.js';

const test = suite('JSON fault');

test('whatever JSON can hold has no fault', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => jsonFault(value, 'context') === undefined));
  assert.is(jsonFault({ a: undefined, b: Object.create(null) as unknown }, 'context'), undefined);
});

test('a value that would come back changed is named with its path', () => {
  class Money {}
  const itself: unknown[] = [];
  itself.push(itself);
  const holes: unknown[] = [];
  holes[1] = 1;
  for (const [value, fault] of [
    [undefined, 'context is undefined'],
    [{ due: new Date(0) }, 'context.due is an instance of Date'],
    [{ price: [new Money()] }, 'context.price[0] is an instance of Money'],
    [{ a: { b: () => 1 } }, 'context.a.b is a function'],
    [[undefined], 'context[0] is undefined'],
    [holes, 'context[0] is undefined'],
    [{ n: NaN }, 'context.n is NaN'],
    [{ n: -Infinity }, 'context.n is -Infinity'],
    [{ n: 1n }, 'context.n is a bigint'],
    [new Map(), 'context is an instance of Map'],
  ] as const) {
    assert.is(jsonFault(value, 'context'), fault);
  }
  assert.match(jsonFault(itself, 'context') ?? '', /nested more than 64 levels deep, or contains itself$/);
});

test('shared parts that multiply are refused without visiting all of them', () => {
  let value: unknown = 'a';
  for (let level = 0; level < 60; level++) value = [value, value];
  assert.is(jsonFault(value, 'context'), 'context holds more than 65536 values');
});
