import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPlainNumber, unplainNumbers } from './plain-numbers.js';

const test = suite('plain numbers');

test('a number of up to 15 digits is read as what is written', () => {
  const digits = fc.bigInt(-(10n ** 15n) + 1n, 10n ** 15n - 1n).filter((all) => all !== 0n);
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 12 }), (all, places) => {
      const [, sign = '', text = ''] = /^(-?)(\d+)$/.exec(String(all)) ?? [];
      const padded = text.padStart(places + 1, '0');
      const written = sign + (places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`);
      assert.ok(isPlainNumber(written), written);
      assert.is(BigInt(Math.round(Number(`${written}e${places}`))), all);
    }),
  );
});

for (const [written, isPlain] of [
  ['0', true],
  ['-12.50', true],
  ['100000000000000000000', true],
  ['0.000000000000000000123', true],
  ['1234567890123456', false],
  ['0.30000000000000004', false],
  ['1.0000000000000001', false],
  ['1e3', false],
  ['1E-7', false],
] as const) {
  test(`${written} is ${isPlain ? '' : 'not '}plain`, () => {
    assert.is(isPlainNumber(written), isPlain);
  });
}

test('numbers that are read as another text are found by their place', () => {
  const json = String.raw`{ "a": [1, 1e3, {"b/c": 2E-1}], "1e3": "1e3", "\"~": 12345678901234567,
    "d": {"e": [[], {}, [0.0000001, 0.5]], "f": -1.10}, "g": 1e+2 }`;
  assert.equal(Object.fromEntries(unplainNumbers(json)), {
    '/a/1': '1e3',
    '/a/2/b~1c': '2E-1',
    '/"~0': '12345678901234567',
    '/d/e/2/0': '0.0000001',
    '/g': '1e+2',
  });
});

test('whatever the JSON, each number that is found is at its place', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (value, spaced) => {
      const found = unplainNumbers(JSON.stringify(value, null, spaced ? 2 : 0));
      const expected: [string, string][] = [];
      const visit = (at: unknown, path: string): void => {
        if (typeof at === 'number' && !isPlainNumber(String(at))) expected.push([path, String(at)]);
        if (typeof at !== 'object' || at === null) return;
        for (const [name, member] of Object.entries(at))
          visit(member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
      };
      visit(value, '');
      assert.equal([...found], expected);
    }),
  );
});

test.run();
