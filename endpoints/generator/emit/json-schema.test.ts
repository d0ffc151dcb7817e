import * as assert from 'uvu/assert';
import { decimal } from '../../../contracts/decimal.js';
import type { Fault } from '../../../contracts/problems.js';
import { decimalPatternOf } from '../../../contracts/scalar-patterns.js';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { exampleOf } from './example-value.js';
import { arriving, definitionsOf, leaving, schemaOf } from './json-schema.js';
import { bodyNames, resultTypes } from '../model/reachable-types.js';
import { askOracle } from './testing/schema-oracle.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('json-schema');

const nullable = (inner: Parameters<typeof schemaOf>[0]) => schemaOf({ kind: 'nullable', inner }, arriving);

test('integers have the bounds of their type, and their own limits', () => {
  assert.equal(schemaOf({ kind: 'int', limits: { minimum: 1 } }, arriving), {
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 2_147_483_647,
  });
  assert.is(schemaOf({ kind: 'long', limits: {} }, arriving)['minimum'], Number.MIN_SAFE_INTEGER);
});

test('a decimal is received as text or number and sent as text', () => {
  const text = { type: 'string', format: 'decimal', pattern: String.raw`^-?(?:0|[1-9]\d*)(?:\.\d+)?$` };
  const bounded = { ...text, pattern: decimalPatternOf(60) };
  const price = { kind: 'decimal', limits: { minimum: 0 } } as const;
  assert.equal(schemaOf(price, arriving), { anyOf: [bounded, { type: 'number', minimum: 0 }] });
  assert.equal(schemaOf(price, leaving), text);
});

for (const [text, fits] of [
  ['0', true],
  ['-12.50', true],
  ['9'.repeat(20), true],
  [`-${'9'.repeat(10)}.${'9'.repeat(10)}`, true],
  ['9'.repeat(21), false],
  [`0.${'0'.repeat(20)}`, false],
  ['1e3', false],
  ['01', false],
  ['1.', false],
] as const) {
  test(`a decimal of at most 20 digits ${fits ? 'may' : 'must not'} be '${text}'`, () => {
    const limits = { maxDigits: 20 };
    const { anyOf } = schemaOf({ kind: 'decimal', limits }, arriving) as { anyOf: { pattern: string }[] };
    assert.is(new RegExp(anyOf[0]?.pattern ?? '').test(text), fits);
    const faults: Fault[] = [];
    decimal(text, '', faults, limits);
    assert.is(faults.length === 0, fits);
  });
}

test('null is another type, or another choice', () => {
  assert.equal(nullable({ kind: 'text', limits: { maxLength: 3 } }), {
    type: ['string', 'null'],
    maxLength: 3,
  });
  assert.equal(nullable({ kind: 'ref', name: 'Tree' }), {
    anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }],
  });
  assert.equal(nullable({ kind: 'json' }), {});
});

test('a discriminated union names its variants', () => {
  assert.equal(definitionsOf(exampleModel(), '#/$defs/')['Payment'], {
    oneOf: [{ $ref: '#/$defs/Card' }, { $ref: '#/$defs/Transfer' }],
    discriminator: {
      propertyName: 'method',
      mapping: { card: '#/$defs/Card', transfer: '#/$defs/Transfer' },
    },
  });
});

test('defaults and descriptions are siblings of the type', () => {
  const { properties } = definitionsOf(exampleModel())['CreateOrder'] as {
    properties: Record<string, unknown>;
  };
  assert.equal(properties['priority'], { $ref: '#/components/schemas/Priority', default: 'normal' });
  assert.equal(properties['note'], { type: ['string', 'null'], description: 'For the packer.' });
});

test('only types that bodies and results reach are included', () => {
  assert.not.ok('TreePlanted' in definitionsOf(wideModel()));
  assert.equal(Object.keys(definitionsOf(exampleModel())).length, 11);
});

test('examples are valid under their schemas', async () => {
  for (const model of [exampleModel(), wideModel()]) {
    const names = [...bodyNames(model), ...resultTypes(model)];
    const cases = names.map((name) => ({
      schema: schemaOf({ kind: 'ref', name }, arriving),
      values: [exampleOf(model, { kind: 'ref', name })],
    }));
    const { accepted } = await askOracle({ definitions: definitionsOf(model), cases });
    assert.equal(
      names.filter((_, at) => accepted[at]?.[0] !== true),
      [],
    );
  }
});
