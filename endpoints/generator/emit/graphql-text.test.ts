import { buildSchema } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { describe, isEnumValue, isGraphQLName } from './graphql-text.js';

const test = suite('GraphQL text');

const descriptions = [
  'Places an order.',
  'Says "hello".',
  '"quoted"',
  'A path C:\\temp\\',
  'Three """ quotes',
  'First line.\nSecond line.\n\n  Indented.',
  'Grüße 🏃',
];

for (const description of descriptions) {
  test(`${JSON.stringify(description)} is read back as it was written`, () => {
    const text = `type Query {\n${describe(description, '  ')}  a: Int\n}`;
    assert.is(buildSchema(text).getQueryType()?.getFields()['a']?.description, description);
  });
}

test('without a description nothing is written', () => {
  assert.is(describe(undefined), '');
  assert.is(describe('  \n '), '');
});

test('a name has letters, digits and underscores; two leading underscores are reserved', () => {
  assert.equal(['a', '_a', 'a1', 'Ä', '1a', '__a', 'a-b', ''].map(isGraphQLName), [
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('three names cannot be values of an enum', () => {
  assert.equal(['normal', 'true', 'false', 'null'].map(isEnumValue), [true, false, false, false]);
});
