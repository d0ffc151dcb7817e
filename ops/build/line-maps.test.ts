import { decode, encode } from '@jridgewell/sourcemap-codec';
import * as assert from 'uvu/assert';
import { transform } from 'esbuild';
import { suite } from '../../contracts/testing/suite.js';
import { toLines } from './line-maps.js';

const test = suite('line maps');

test('a map leads to the first place of each line', async () => {
  const source = 'export const one = 1 + Math.random();\nexport const two = one + 2;\n';
  const { map } = await transform(source, { sourcemap: true, sourcefile: 'a.ts', minifyWhitespace: true });
  const { mappings, names, sources } = JSON.parse(toLines(map)) as Record<
    'mappings' | 'names' | 'sources',
    never
  >;
  const places = decode(mappings).flatMap((segments) => segments.map(([, , line, column]) => [line, column]));
  assert.equal(places, [
    [0, 0],
    [1, 0],
  ]);
  assert.equal([names, sources], [[], ['a.ts']]);
});

test('a map leads to no package', () => {
  const map = {
    version: 3,
    sources: ['../node_modules/pg/lib/client.js', 'a.ts'],
    mappings: encode([[[0, 0, 0, 0]], [[0, 1, 0, 0]]]),
  };
  const lines = decode((JSON.parse(toLines(JSON.stringify(map))) as { mappings: string }).mappings);
  assert.equal(lines, [[], [[0, 1, 0, 0]]]);
});
