import { type OracleAnswer, type OracleQuestion, readQuestion } from './schema-oracle.js';

const question = await readQuestion();
const answer: OracleAnswer = { accepted: await accepted(question), faults: await faults(question.document) };
process.stdout.write(JSON.stringify(answer));

/** Each validator takes a while to load: only those that a question needs are. */
async function accepted({ definitions, cases }: OracleQuestion): Promise<boolean[][]> {
  if (cases.length === 0) return [];
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
  formats.default.default(ajv);
  return cases.map(({ schema, values }) => {
    const validate = ajv.compile({ ...schema, components: { schemas: definitions } });
    return values.map((value) => validate(value));
  });
}

async function faults(document: unknown): Promise<unknown> {
  if (document === undefined) return null;
  const { Validator } = await import('@seriousme/openapi-schema-validator');
  const { valid, errors } = await new Validator().validate(document as Record<string, unknown>);
  return valid ? null : errors;
}
