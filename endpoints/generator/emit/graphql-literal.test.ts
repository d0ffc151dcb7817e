import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import type { TypeModel } from '../model/service-model.js';
import { literalOf } from './graphql-literal.js';

const test = suite('GraphQL literal');

const { types } = exampleModel();
const json: TypeModel = { kind: 'json' };
const priority: TypeModel = { kind: 'ref', name: 'Priority' };

const literals: readonly (readonly [unknown, TypeModel, string | undefined])[] = [
  ['normal', priority, 'normal'],
  ['normal', json, '"normal"'],
  ['say "hi"\n', json, '"say \\"hi\\"\\n"'],
  [null, { kind: 'nullable', inner: priority }, 'null'],
  ['express', { kind: 'nullable', inner: priority }, 'express'],
  [['normal', 'express'], { kind: 'array', item: priority, limits: {} }, '[normal, express]'],
  [-1.5, { kind: 'number', limits: {} }, '-1.5'],
  [true, { kind: 'boolean' }, 'true'],
  [
    { priority: 'normal', gift: false },
    { kind: 'ref', name: 'CreateOrder' },
    '{priority: normal, gift: false}',
  ],
  [{ a: [1, { b: 'x' }] }, json, '{a: [1, {b: "x"}]}'],
  [{ 'in-progress': 1 }, json, undefined],
  [[{ 'in-progress': 1 }], json, undefined],
];

for (const [value, type, literal] of literals) {
  test(`${JSON.stringify(value)} as ${type.kind} is ${literal ?? 'nothing GraphQL can say'}`, () => {
    assert.is(literalOf(value, type, types), literal);
  });
}
