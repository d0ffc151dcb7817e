import { spawn } from 'node:child_process';
import { json, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../../../contracts/problems.js';
import type { Schema } from '../json-schema.js';

export interface OracleQuestion {
  readonly definitions: Readonly<Record<string, Schema>>;
  /** Schemas, and values that may fit them. */
  readonly cases: readonly { readonly schema: Schema; readonly values: readonly unknown[] }[];
  /** An OpenAPI document to validate. */
  readonly document?: unknown;
}

export interface OracleAnswer {
  /** For each case, which of its values Ajv accepts. */
  readonly accepted: readonly (readonly boolean[])[];
  /** The errors of the document. */
  readonly faults: unknown;
}

/** Asks Ajv in its own process: it generates code at run time, which ours may forbid. */
export async function askOracle(question: OracleQuestion): Promise<OracleAnswer> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('schema-oracle-process.js', import.meta.url))],
    {
      env,
    },
  );
  const [answer, errors] = [text(child.stdout), text(child.stderr)];
  child.stdin.end(JSON.stringify(question));
  const output = await answer;
  if (output === '') throw new Problem('invalid-setup', { detail: await errors });
  return JSON.parse(output) as OracleAnswer;
}

export const readQuestion = async (): Promise<OracleQuestion> =>
  (await json(process.stdin)) as OracleQuestion;
