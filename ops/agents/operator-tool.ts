import {
  type Decode,
  isGiven,
  long,
  object,
  oneOf,
  own,
  text,
  timestamp,
  uuid,
} from '../../contracts/codec.js';
import type { JsonObject } from '../../contracts/codec-scalars.js';
import { StrictFaults } from '../../contracts/faults.js';
import { Problem } from '../../contracts/problems.js';
import type { ToolDocument } from '../../endpoints/agents/tool-entry.js';
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

/** What is asked. */
export interface AskedStore {
  readonly database: Database;
  /** Whether redacted contents may be shown. */
  readonly withBodies: boolean;
}

interface Argument<T> {
  readonly schema: JsonObject;
  readonly decode: Decode<T>;
  /** The tool cannot do without it. */
  readonly isNeeded?: boolean;
}

type Arguments = Readonly<Record<string, Argument<unknown>>>;
type Given<A> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T>
    ? T | (A[K] extends { readonly isNeeded: true } ? never : undefined)
    : never;
};

const longestText = 2_000;

export const words = (description: string): Argument<string> => ({
  schema: { type: 'string', description },
  decode: (value, path, faults) => text(value, path, faults, { maxLength: longestText }),
});
export const whole = (description: string): Argument<number> => ({
  schema: { type: 'integer', description },
  decode: (value, path, faults) => long(value, path, faults, { minimum: 0 }),
});
export const oneWordOf = <T extends string>(description: string, ...values: readonly T[]): Argument<T> => ({
  schema: { type: 'string', description, enum: values },
  decode: (value, path, faults) => oneOf(value, path, faults, values) as T,
});
export const time = (description: string): Argument<string> => ({ ...words(description), decode: timestamp });
export const id = (description: string): Argument<string> => ({ ...words(description), decode: uuid });
export const needed = <T>(one: Argument<T>) => ({ ...one, isNeeded: true }) as const;

/** A question about a store that has no effect on it. */
export interface OperatorTool {
  document(name: string): ToolDocument;
  /** Refuses arguments that it does not declare, or of another kind. */
  answer(given: JsonObject, store: AskedStore): Promise<Found>;
}

export const operatorTool = <A extends Arguments>({
  description,
  takes,
  person,
  read,
}: {
  readonly description: string;
  readonly takes: A;
  /** What a person would run to change what is found. */
  readonly person?: string;
  readonly read: (given: Given<A>, store: AskedStore) => Promise<Found> | Found;
}): OperatorTool => ({
  document: (name) => ({
    name,
    title: name.replaceAll('_', ' '),
    description:
      person === undefined ? description : `${description} To change something, a person runs: ${person}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(takes).map(([key, { schema }]) => [key, schema])),
      required: Object.keys(takes).filter((key) => takes[key]?.isNeeded),
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }),
  answer: async (given, store) => read(argumentsIn(takes, given) as Given<A>, store),
});

function argumentsIn(takes: Arguments, given: JsonObject): object {
  const faults = new StrictFaults();
  object(given, '', faults, new Set(Object.keys(takes)));
  const found = Object.entries(takes).map(([name, { decode, isNeeded = false }]) => {
    const value = own(given, name);
    return [name, isNeeded || isGiven(value, faults) ? decode(value, `/${name}`, faults) : undefined];
  });
  if (faults.found > 0) throw new Problem('invalid-query', faults.listed);
  return Object.fromEntries(found) as object;
}
