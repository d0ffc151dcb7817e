import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fault } from '../../../contracts/problems.js';
import { isDecimal } from '../../../contracts/scalars.js';
import { exampleModel } from '../example-model.js';
import type { ServiceModel } from '../model.js';
import { emitCodecs } from './codec.js';
import { exampleOf } from './example-value.js';
import { arriving, definitionsOf, leaving, schemaOf } from './json-schema.js';
import { bodyNames, reachedByResults } from './reach.js';
import { bodiesOf } from './testing/bodies.js';
import { loadCompiled } from './testing/compile.js';
import { declarationsOf } from './testing/declarations.js';
import { askOracle } from './testing/oracle.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('json-schema');

const nullable = (inner: Parameters<typeof schemaOf>[0]) => schemaOf({ kind: 'nullable', inner }, arriving);

test('integers have the bounds of their type, and their own', () => {
  assert.equal(schemaOf({ kind: 'int', limits: { minimum: 1 } }, arriving), {
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 2_147_483_647,
  });
  assert.is(schemaOf({ kind: 'long', limits: {} }, arriving)['minimum'], Number.MIN_SAFE_INTEGER);
});

test('a decimal arrives as text or number and leaves as text', () => {
  const text = { type: 'string', format: 'decimal', pattern: String.raw`^-?(?:0|[1-9]\d*)(?:\.\d+)?$` };
  const decimal = { kind: 'decimal', limits: { minimum: 0 } } as const;
  assert.equal(schemaOf(decimal, arriving), { anyOf: [text, { type: 'number', minimum: 0 }] });
  assert.equal(schemaOf(decimal, leaving), text);
});

test('null is one more type, or one more choice', () => {
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

test('defaults and descriptions stand beside the type', () => {
  const { properties } = definitionsOf(exampleModel())['CreateOrder'] as {
    properties: Record<string, unknown>;
  };
  assert.equal(properties['priority'], { $ref: '#/components/schemas/Priority', default: 'normal' });
  assert.equal(properties['note'], { type: ['string', 'null'], description: 'For the packer.' });
});

test('only what bodies and results reach is told', () => {
  assert.not.ok('TreePlanted' in definitionsOf(wideModel()));
  assert.equal(Object.keys(definitionsOf(exampleModel())).length, 11);
});

/**
 * What a decoder refuses although the schema cannot say it:
 * U+0000 and unpaired surrogates in text and names, and the name `__proto__`; a decimal as a number that JavaScript
 * writes with an exponent; a decimal as text beyond its limits.
 */
function isStatedDifference({ path, message }: Fault, body: unknown): boolean {
  if (message.includes('U+0000') || path.endsWith('/__proto__')) return true;
  const value = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((at, step) => (at as Record<string, unknown>)[step], body);
  if (message.startsWith('must be a decimal'))
    return typeof value === 'number' && String(value).includes('e');
  return isDecimal(value) && /^must be at (least|most) /.test(message);
}

const perContract = 2_500;
const seed = 7;

for (const [title, model] of [
  ['the example', exampleModel()],
  ['every type', wideModel()],
] as const) {
  test(`decoders accept what Ajv accepts by the schema: ${title}`, async () => {
    const { codecs, definitions, cases } = await contracts(model, perContract);
    const { accepted } = await askOracle({ definitions, cases });
    const seen = { valid: 0, invalid: 0, stated: 0 };
    for (const [at, { name, values }] of cases.entries()) {
      const decode = codecs[`decode${name}`] as (value: unknown, path: string, faults: Fault[]) => unknown;
      for (const [index, body] of values.entries()) {
        const faults: Fault[] = [];
        decode(body, '', faults);
        const isAccepted = accepted[at]?.[index];
        if (isAccepted === (faults.length === 0)) seen[isAccepted === true ? 'valid' : 'invalid']++;
        else {
          const told = `${name}: Ajv says ${isAccepted}, we say ${JSON.stringify(faults)} to ${JSON.stringify(body)}`;
          assert.ok(isAccepted === true && faults.every((fault) => isStatedDifference(fault, body)), told);
          seen.stated++;
        }
      }
    }
    assert.ok(seen.valid > perContract / 4 && seen.invalid > perContract / 4, JSON.stringify(seen));
  });
}

async function contracts(model: ServiceModel, numRuns: number) {
  const sources = declarationsOf(model).set('generated/codecs', emitCodecs(model));
  const codecs = await loadCompiled(sources, 'generated/codecs');
  const definitions = definitionsOf(model);
  const cases = bodyNames(model).map((name) => {
    const schema = schemaOf({ kind: 'ref', name }, arriving);
    return {
      name,
      schema,
      values: fc.sample(bodiesOf(schema, definitions), { numRuns, seed }),
    };
  });
  return { codecs, definitions, cases };
}

/** The types of the model as results, so that what was decoded can be encoded again. */
function mirrored(model: ServiceModel): ServiceModel {
  const bodies = bodyNames(model);
  return {
    ...model,
    commands: model.commands.map((command, at) => {
      const name = bodies[at] ?? '';
      return { ...command, result: { kind: 'ref', name }, resultName: name };
    }),
  };
}

for (const [title, model] of [
  ['the example', exampleModel()],
  ['every type', wideModel()],
] as const) {
  test(`what was decoded, encoded and decoded again is the same: ${title}`, async () => {
    const { codecs, definitions, cases } = await contracts(mirrored(model), 500);
    const encoded = cases.map(({ name, schema, values }) => {
      const decode = codecs[`decode${name}`] as (value: unknown, path: string, faults: Fault[]) => unknown;
      const encode = codecs[`encode${name}`] as (value: unknown) => string;
      const texts = values.flatMap((body) => {
        const faults: Fault[] = [];
        const decoded = decode(body, '', faults);
        if (faults.length > 0) return [];
        const text = encode(decoded);
        assert.ok(isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(decoded))), text);
        assert.ok(isDeepStrictEqual(decode(JSON.parse(text), '', faults), decoded), text);
        assert.equal(faults, []);
        return [JSON.parse(text) as unknown];
      });
      assert.ok(texts.length > 100, `${name}: ${texts.length}`);
      return { schema, values: texts };
    });
    const { accepted } = await askOracle({ definitions, cases: encoded });
    assert.ok(accepted.flat().every(Boolean));
  });
}

test('examples fit their schemas', async () => {
  for (const model of [exampleModel(), wideModel()]) {
    const names = [...bodyNames(model), ...reachedByResults(model)];
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

test.run();
