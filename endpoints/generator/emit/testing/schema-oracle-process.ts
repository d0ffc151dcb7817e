import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type OracleAnswer, type OracleQuestion, readQuestion } from './schema-oracle.js';

const question = await readQuestion();
const answer: OracleAnswer = { accepted: accepted(question), faults: await faults(question.document) };
process.stdout.write(JSON.stringify(answer));

function accepted({ definitions, cases }: OracleQuestion): boolean[][] {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
  formats.default(ajv);
  return cases.map(({ schema, values }) => {
    const validate = ajv.compile({ ...schema, components: { schemas: definitions } });
    return values.map((value) => validate(value));
  });
}

async function faults(document: unknown): Promise<unknown> {
  if (document === undefined) return null;
  const { valid, errors } = await new Validator().validate(document as Record<string, unknown>);
  return valid ? null : errors;
}
