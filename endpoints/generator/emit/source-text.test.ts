import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { indented, key, member, quoted, templated } from './source-text.js';

const test = suite('source-text');

test('any text can be quoted in single quotes', () => {
  assert.is(quoted('tea'), "'tea'");
  assert.is(quoted(`it's "x" \\ \n`), String.raw`'it\'s "x" \\ \n'`);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const inner = quoted(text).slice(1, -1);
      assert.not.match(inner, /(?<!\\)(?:\\\\)*'/);
      const asJson = inner.replaceAll(/\\'|"/g, (found) => (found === '"' ? String.raw`\"` : "'"));
      assert.is(JSON.parse(`"${asJson}"`), text);
    }),
  );
});

test('names that are not identifiers are quoted', () => {
  assert.is(member('total'), '.total');
  assert.is(member('content-type'), "['content-type']");
  assert.is(key('a b'), "'a b'");
  assert.throws(() => key('__proto__'), /must not be named '__proto__'/);
});

test('a name is escaped for a template literal', () => {
  assert.is(templated('`${x}\\'), '\\`\\${x}\\\\');
});

test('lines are indented', () => {
  assert.equal(indented(['a', 'b']), ['  a', '  b']);
});
