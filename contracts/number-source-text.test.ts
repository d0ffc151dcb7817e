import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { pointerStep } from './json-pointer.js';
import { writtenIn } from './number-source-text.js';
import { suite } from './testing/suite.js';

const test = suite('written numbers');

const found = (json: string, paths: readonly string[]): Record<string, string | undefined> => {
  const writtenAt = writtenIn(json);
  return Object.fromEntries(paths.map((path) => [path, writtenAt(path)]));
};

for (const number of [
  '4.10',
  '1.0',
  '-0',
  '1e3',
  '-2.5E-7',
  '12345678901234567890.12',
  '0.1000000000000000055',
  '0.0000001',
  '1234567890123456789',
]) {
  test(`${number} is found as it was written`, () => {
    assert.is(writtenIn(`{"a":${number}}`)('/a'), number);
    assert.is(writtenIn(`[ 1,\n${number}]`)('/1'), number);
    assert.is(writtenIn(`{"a":1,"b":[ ${number} ]}`)('/b/0'), number);
  });
}

test('numbers that read back as the same text are not recorded', () => {
  const json = '{"id":"1e3","n":[1,-2.5,123456789012345,0.5],"at":"4.10"}';
  const paths = ['/id', '/n/0', '/n/1', '/n/2', '/n/3', '/at', '', '/', '/n/4/x'];
  assert.equal([...new Set(Object.values(found(json, paths)))], [undefined]);
});

test('of a duplicate name the last number counts', () => {
  const json = '{"a":1e1,"a":10,"b":{"x":1e1},"b":{"x":10},"c":1,"c":1.0,"d":[1.0],"d":[1,2.0]}';
  assert.equal(found(json, ['/a', '/b/x', '/c', '/d/0', '/d/1']), {
    '/a': undefined,
    '/b/x': undefined,
    '/c': '1.0',
    '/d/0': undefined,
    '/d/1': '2.0',
  });
});

test('numbers that read back as another text are found by their path', () => {
  const json = String.raw`{ "a": [1, 1e3, {"b/c": 2E-1}], "1e3": "1e3", "\"~": 12345678901234567,
    "d": {"e": [[], {}, [0.0000001, 0.5]], "f": -1.10}, "g": 1e+2 }`;
  const expected = {
    '/a/1': '1e3',
    '/a/2/b~1c': '2E-1',
    '/"~0': '12345678901234567',
    '/d/e/2/0': '0.0000001',
    '/d/f': '-1.10',
    '/g': '1e+2',
  };
  assert.equal(found(json, Object.keys(expected)), expected);
});

test('whatever the JSON, each number is found as it is written', () => {
  const written = fc
    .tuple(fc.bigInt(-(10n ** 25n), 10n ** 25n), fc.constantFrom('', '.0', '.10', '.125', 'e1', 'E-2'))
    .map(([whole, rest]) => `${whole}${rest}`);
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(written, { minLength: 1 }), (value, numbers) => {
      const expected = new Map<string, string>();
      const json = (at: unknown, path: string): string => {
        if (typeof at === 'number') {
          const text = numbers[expected.size % numbers.length] ?? '';
          expected.set(path, text);
          return text;
        }
        if (typeof at !== 'object' || at === null) return JSON.stringify(at);
        const members = Object.entries(at).map(([name, member]) => [
          name,
          json(member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
        ]);
        return Array.isArray(at)
          ? `[${members.map(([, text]) => text).join(' , ')}]`
          : `{${members.map(([name, text]) => `${JSON.stringify(name)} : ${text}`).join(',')}}`;
      };
      const writtenAt = writtenIn(json(value, ''));
      expected.delete('');
      for (const [path, text] of expected)
        assert.is(writtenAt(path) ?? String(Number(text)), text, `${path} is ${text}`);
    }),
  );
});

test('a name longer than any declared one is truncated in its path', () => {
  const name = 'k'.repeat(20_000);
  const step = pointerStep(name);
  assert.ok(step.length < 100);
  assert.is(writtenIn(`{"${name}":[1.50]}`)(`/${step}/0`), '1.50');
});
