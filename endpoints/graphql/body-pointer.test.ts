import { parseValue } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { bodyPointer } from './body-pointer.js';

const test = suite('body pointer');

for (const [argument, path, pointer] of [
  ['$command', '/items/0/price', '/variables/command/items/0/price'],
  ['{ items: [{ price: 1 }, $second], note: "" }', '/items/1/price', '/variables/second/price'],
  ['{ items: $items }', '/items/0', '/variables/items/0'],
  ['{ price: 1.5 }', '/price', ''],
  ['{ items: [] }', '/items/7/price', ''],
] as const) {
  test(`${path} of ${argument} comes from ${pointer === '' ? 'the document' : pointer}`, () => {
    assert.is(bodyPointer(parseValue(argument), path), pointer);
  });
}
