import { parse } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { limitErrors } from './limits.js';

const test = suite('GraphQL limits');

const messagesOf = (text: string) => limitErrors(parse(text)).map(({ message }) => message);
const nested = (depth: number): string => (depth === 1 ? '{ a }' : `{ a ${nested(depth - 1)} }`);
const aliased = (count: number): string =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: b`).join(' ')} }`;
const list = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test('a document may be twelve fields deep', () => {
  assert.equal(messagesOf(nested(12)), []);
  assert.equal(messagesOf(nested(13)), ['The document is deeper than 12 fields.']);
});

test('fragments do not hide depth', () => {
  const spread = `{ ...A } fragment A on T { a { ...B } } fragment B on T ${nested(11)}`;
  assert.equal(messagesOf(spread), []);
  assert.equal(messagesOf(spread.replace('{ a }', '{ a { a } }')), [
    'The document is deeper than 12 fields.',
  ]);
  assert.equal(messagesOf(`{ a { ... on T ${nested(12)} } }`), ['The document is deeper than 12 fields.']);
});

test('fragments that spread each other are measured, and fast', () => {
  assert.equal(messagesOf('{ ...A } fragment A on T { a { ...B } } fragment B on T { b { ...A } }'), []);
  const doubling = Array.from(
    { length: 60 },
    (_, index) => `fragment F${index} on T { ...F${index + 1} ...F${index + 1} }`,
  );
  assert.equal(messagesOf(`{ ...F0 } ${doubling.join(' ')} fragment F60 on T { a }`), []);
});

test('the depth of introspection is not counted', () => {
  assert.equal(messagesOf(`{ __schema ${nested(15)} }`), []);
});

test('a document may have thirty-two aliases', () => {
  assert.equal(messagesOf(aliased(32)), []);
  assert.equal(messagesOf(aliased(33)), ['The document has more than 32 aliases.']);
});

test('values may be nested as deep as in a JSON body', () => {
  assert.equal(messagesOf(`{ a(b: ${list(64)}) }`), []);
  assert.equal(messagesOf(`{ a(b: ${list(65)}) }`), ['A value is nested deeper than 64.']);
});

test('keys that reach for a prototype are refused as in a JSON body', () => {
  const refused = ['A value has a forbidden key.'];
  assert.equal(messagesOf('{ a(b: { c: [{ __proto__: 1 }] }) }'), refused);
  assert.equal(messagesOf('{ a(b: { constructor: { prototype: 1 } }) }'), refused);
  assert.equal(messagesOf('{ a(b: { constructor: 1, prototype: 2 }) }'), []);
});

test('a subscription always has its field', () => {
  const refusal = ['The field of a subscription must have neither @skip nor @include.'];
  for (const text of [
    'subscription { a @skip(if: true) { b } }',
    'subscription($no: Boolean!) { a @include(if: $no) { b } }',
    'subscription { ... @include(if: false) { a { b } } }',
    'subscription { ...A } fragment A on T { ...B } fragment B on T { a @skip(if: true) { b } }',
  ])
    assert.equal(messagesOf(text), refusal, text);
  for (const text of [
    'subscription { a { b @skip(if: true) } }',
    'query { a @skip(if: true) { b } }',
    'subscription { ...A } fragment A on T { ...A a { b } }',
  ])
    assert.equal(messagesOf(text), [], text);
});
