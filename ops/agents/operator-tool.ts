import type { ToolDocument } from '../../endpoints/agents/tool-entry.js';
import { Problem } from '../../contracts/problems.js';
import type { JsonObject } from '../../contracts/codec-scalars.js';
import type { Database } from '../../runtime/database/database.js';

/** The most rows of one answer. */
export const mostRows = 200;
/** One more than an answer has: it shows that there are others. */
export const askedRows = mostRows + 1;

/** What a tool has found; each row is left out or shown as a whole. */
export interface Found {
  readonly rows: readonly unknown[];
  /** Pass it as `before` or `after` to read on. */
  readonly next?: number | undefined;
  /** Of the rows, where one can read on behind each of them. */
  readonly positions?: readonly number[];
}

/** A checked call. */
export interface OperatorQuestion {
  readonly database: Database;
  /** By name; text or a whole number, as declared. */
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly numbers: Readonly<Record<string, number | undefined>>;
  /** Whether redacted contents may be shown. */
  readonly withBodies: boolean;
}

interface Argument {
  readonly type: 'string' | 'integer';
  readonly description: string;
  readonly enum?: readonly string[];
}

/** A question about a store that has no effect on it. */
export interface OperatorTool {
  readonly description: string;
  readonly takes: Readonly<Record<string, Argument>>;
  /** The arguments that it cannot do without. */
  readonly needs?: readonly string[];
  /** What a person would run to change what is found. */
  readonly person?: string;
  read(question: OperatorQuestion): Promise<Found>;
}

export const documentOf = (
  name: string,
  { description, takes, needs = [], person }: OperatorTool,
): ToolDocument => ({
  name,
  title: name.replaceAll('_', ' '),
  description:
    person === undefined ? description : `${description} To change something, a person runs: ${person}`,
  inputSchema: {
    type: 'object',
    properties: takes,
    required: needs,
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

const longestText = 2_000;

/** Refuses arguments that the tool does not declare, or of another kind. */
export function argumentsIn(
  { takes, needs = [] }: OperatorTool,
  given: JsonObject,
): Pick<OperatorQuestion, 'texts' | 'numbers'> {
  const texts: Record<string, string> = {};
  const numbers: Record<string, number> = {};
  const errors = Object.keys(given)
    .filter((name) => !Object.hasOwn(takes, name))
    .map((name) => ({ path: `/${name.slice(0, 80)}`, message: 'is not known' }));
  for (const [name, { type, enum: allowed }] of Object.entries(takes)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const path = `/${name}`;
    if (value === undefined || value === null) {
      if (needs.includes(name)) errors.push({ path, message: 'is required' });
    } else if (type === 'integer') {
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) numbers[name] = value;
      else errors.push({ path, message: 'must be a whole number from 0' });
    } else if (typeof value !== 'string' || value.length > longestText || value.includes('\0'))
      errors.push({ path, message: `must be text of at most ${longestText} characters` });
    else if (allowed?.includes(value) === false)
      errors.push({ path, message: `must be one of ${allowed.join(', ')}` });
    else texts[name] = value;
  }
  if (errors.length > 0) throw new Problem('invalid-query', { errors });
  return { texts, numbers };
}
