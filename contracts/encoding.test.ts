import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import * as encoding from './encoding.js';
import { suite } from './testing/suite.js';

const test = suite('encoding');

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 5 }).map((units) => String.fromCharCode(...units)),
);

test('text is escaped as JSON.stringify does', () => {
  fc.assert(
    fc.property(anyText, (text) => encoding.encodeText(text) === JSON.stringify(text)),
    { numRuns: 2000 },
  );
  for (let unit = 0; unit <= 0xffff; unit++) {
    const text = String.fromCharCode(unit);
    if (encoding.encodeText(text) !== JSON.stringify(text)) assert.unreachable(`U+${unit.toString(16)}`);
  }
});

test('numbers are written as JSON.stringify does', () => {
  fc.assert(fc.property(fc.double(), (number) => encoding.encodeNumber(number) === JSON.stringify(number)));
  assert.is(encoding.encodeNumber(-0), '0');
  assert.is(encoding.encodeNumber(Number.NaN), 'null');
});

test('lists and maps are written as JSON.stringify does', () => {
  const lists = fc.array(anyText);
  fc.assert(
    fc.property(lists, (list) => encoding.encodeArray(list, encoding.encodeText) === JSON.stringify(list)),
  );
  const maps = fc.dictionary(anyText, fc.option(fc.boolean(), { nil: undefined }));
  fc.assert(
    fc.property(maps, (map) => encoding.encodeMap(map, encoding.encodeBoolean) === JSON.stringify(map)),
  );
});

test('a value that violates its type still becomes valid JSON', () => {
  const anything = undefined as never;
  for (const encode of [
    encoding.encodeText,
    encoding.encodeNumber,
    encoding.encodeBoolean,
    encoding.encodeJson,
  ])
    assert.is(encode(anything), 'null');
  assert.is(encoding.encodeText(7 as never), '7');
});
