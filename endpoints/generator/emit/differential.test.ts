import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Fault } from '../../../contracts/problems.js';
import { isDecimal } from '../../../contracts/scalars.js';
import { seeds } from '../../../contracts/testing/seeds.js';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import type { ServiceModel } from '../model/service-model.js';
import { emitCodecs } from './codec.js';
import { arriving, definitionsOf, schemaOf } from './json-schema.js';
import { bodyNames } from '../model/reachable-types.js';
import { bodiesOf } from './testing/bodies.js';
import { loadCompiled } from './testing/compile.js';
import { declarationsOf } from './testing/declarations.js';
import { askOracle } from './testing/schema-oracle.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('decoders and schemas');

const perContract = seeds(300, 2_000);
const seed = 7;

for (const [title, model] of [
  ['the example', exampleModel()],
  ['every type', wideModel()],
] as const) {
  const contracts = contractsOf(mirrored(model));

  test(`decoders accept what Ajv accepts by the schema: ${title}`, async () => {
    const { definitions, cases } = await contracts;
    const { accepted } = await askOracle({ definitions, cases });
    const seen = { valid: 0, invalid: 0, stated: 0 };
    for (const [at, { name, values, faultsOf }] of cases.entries()) {
      for (const [index, body] of values.entries()) {
        const isAccepted = accepted[at]?.[index] === true;
        const faults = faultsOf(body);
        if (isAccepted === (faults.length === 0)) seen[isAccepted ? 'valid' : 'invalid']++;
        else {
          const message = `${name}: Ajv accepts: ${isAccepted}, we report ${JSON.stringify(faults)} for ${JSON.stringify(body)}`;
          assert.ok(isAccepted && faults.every((fault) => isStatedDifference(fault, body)), message);
          seen.stated++;
        }
      }
    }
    assert.ok(seen.valid > perContract / 4 && seen.invalid > perContract / 4, JSON.stringify(seen));
  });

  test(`decoding an encoded value gives the same value: ${title}`, async () => {
    const { definitions, cases } = await contracts;
    const encoded = cases.map(({ name, schema, values, faultsOf, decode, encode }) => {
      const valid = values.filter((body) => faultsOf(body).length === 0);
      assert.ok(valid.length > perContract / 10, `${name}: ${valid.length}`);
      const again = valid.map((body) => {
        const text = encode(decode(body, '', []));
        assert.ok(
          isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(decode(body, '', [])))),
          text,
        );
        assert.ok(isDeepStrictEqual(decode(JSON.parse(text), '', []), decode(body, '', [])), text);
        return JSON.parse(text) as unknown;
      });
      return { schema, values: again };
    });
    const { accepted } = await askOracle({ definitions, cases: encoded });
    assert.ok(accepted.flat().every(Boolean));
  });
}

/**
 * What a decoder refuses although the schema cannot express it: U+0000 and unpaired surrogates in text and names, and
 * the name `__proto__`; a decimal as a number that JavaScript writes with an exponent or more than 15 digits; a
 * decimal as text beyond its limits.
 */
function isStatedDifference({ path, message }: Fault, body: unknown): boolean {
  if (message.includes('U+0000') || path.endsWith('/__proto__')) return true;
  const value = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((at, step) => (at as Record<string, unknown>)[step], body);
  if (/^must (?:be a decimal|have at most 15 digits as a number)/.test(message))
    return typeof value === 'number';
  return isDecimal(value) && /^must be at (least|most) /.test(message);
}

async function contractsOf(model: ServiceModel) {
  const sources = declarationsOf(model).set('generated/codecs', emitCodecs(model));
  const codecs = await loadCompiled(sources, 'generated/codecs');
  const definitions = definitionsOf(model);
  const cases = bodyNames(model).map((name) => {
    const schema = schemaOf({ kind: 'ref', name }, arriving);
    const decode = codecs[`decode${name}`] as (value: unknown, path: string, faults: Fault[]) => unknown;
    const encode = codecs[`encode${name}`] as (value: unknown) => string;
    const faultsOf = (body: unknown): Fault[] => {
      const faults: Fault[] = [];
      decode(body, '', faults);
      return faults;
    };
    const values = fc.sample(bodiesOf(schema, definitions), { numRuns: perContract, seed });
    return { name, schema, values, decode, encode, faultsOf };
  });
  return { definitions, cases };
}

/** The types of the model as results, so that decoded values can be encoded again. */
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
