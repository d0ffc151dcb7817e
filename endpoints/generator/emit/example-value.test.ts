import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import type { TypeModel } from '../model/service-model.js';
import { exampleOf, none } from './example-value.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('example-value');

const model = exampleModel();
const of = (type: TypeModel, name?: string) => exampleOf(model, type, name);

test('text is the name of its property, with the required length', () => {
  assert.is(of({ kind: 'text', limits: {} }, 'street'), 'street');
  assert.is(of({ kind: 'text', limits: { maxLength: 3 } }, 'street'), 'str');
  assert.is(of({ kind: 'text', limits: { minLength: 8 } }, 'street'), 'street..');
  assert.is(of({ kind: 'text', limits: { format: 'email' } }, 'mail'), 'ada@example.com');
});

test('numbers are within their limits', () => {
  assert.is(of({ kind: 'int', limits: { minimum: 1.5 } }), 2);
  assert.is(of({ kind: 'number', limits: { maximum: -0.5 } }), -0.5);
  assert.is(of({ kind: 'decimal', limits: { maximum: 5 } }), '1');
  assert.is(of({ kind: 'int', limits: { minimum: 0.2, maximum: 0.8 } }), none);
});

test('a recursive type ends where it refers to itself', () => {
  assert.equal(of({ kind: 'ref', name: 'LineItem' }), {
    productId: 'productId',
    quantity: 1,
    unitPrice: '19.90',
    parts: [],
  });
  assert.equal(exampleOf(wideModel(), { kind: 'ref', name: 'Tree' }), {
    kind: 'oak',
    meta: { any: 'JSON' },
    branches: {},
    graft: null,
    pages: [{ text: 'text' }],
    secret: ['secret'],
  });
});

test('lists are as short as allowed, but not empty', () => {
  const list = (limits: object) => of({ kind: 'array', item: { kind: 'boolean' }, limits });
  assert.equal(list({}), [true]);
  assert.equal(list({ minItems: 2 }), [true, true]);
  assert.equal(list({ maxItems: 0 }), []);
});

test('an impossible type has no example, and an optional property of it is left out', () => {
  const hard: TypeModel = { kind: 'text', limits: { pattern: '^(a)\\1$' } };
  assert.is(of(hard), none);
  assert.is(of({ kind: 'nullable', inner: hard }), null);
  assert.equal(of({ kind: 'array', item: hard, limits: {} }), []);
});
