import { isObject } from '../../contracts/codec-scalars.js';
import type { Fault } from '../../contracts/problems.js';
import { redacted } from '../../contracts/redaction.js';
import { problemOf } from '../problem.js';
import { isHidden, type ToolDocument, type ToolSchema } from './tool-entry.js';

/** What a call answers: `structuredContent`, and the same as JSON text. */
export type ToolAnswer =
  | {
      readonly status: 'done';
      readonly result?: unknown;
      readonly repeated?: boolean;
      readonly note?: string;
    }
  | {
      readonly status: 'waiting-for-approval';
      readonly approvalId: string;
      readonly expiresAt: string;
      readonly repeated: boolean;
      readonly note: string;
    }
  | {
      readonly status: 'refused';
      readonly repeated?: boolean;
      readonly note?: string;
      readonly problem: ShownProblem;
    };

interface ShownProblem {
  readonly code: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly errors?: readonly Fault[] | undefined;
  /** In seconds. */
  readonly retryAfter?: number | undefined;
}

/** Data of the service is in no other part of an answer. */
export const contentOf = (answer: ToolAnswer) => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer,
  ...(answer.status === 'refused' ? { isError: true } : {}),
});

export function refusal(error: unknown): ToolAnswer {
  const { code, title, detail, errors, retryAfter } = problemOf(error);
  return { status: 'refused', problem: { code, title, detail, errors, retryAfter } };
}

/** The parts of a result that the tool declares, without what agents never see. */
export function shownResult({ outputSchema }: ToolDocument, result: unknown): unknown {
  const { result: schema = {} } = outputSchema['properties'] as Record<string, ToolSchema>;
  return shown(result, schema, (outputSchema['$defs'] ?? {}) as Schemas);
}

type Schemas = Readonly<Record<string, ToolSchema>>;

function shown(value: unknown, schema: ToolSchema, all: Schemas): unknown {
  if (value === undefined) return undefined;
  if (isHidden(schema)) return redacted;
  if (value === null) return null;
  const declared = declaredIn(value, schema, all);
  if (declared !== schema) return declared === undefined ? redacted : shown(value, declared, all);
  const { properties, items, additionalProperties } = schema;
  if (isObject(items)) return Array.isArray(value) ? value.map((one) => shown(one, items, all)) : redacted;
  if (isObject(properties)) return isObject(value) ? members(value, properties as Schemas, all) : redacted;
  if (isObject(additionalProperties))
    return isObject(value) ? values(value, additionalProperties, all) : redacted;
  return value;
}

/** What a reference, a nullable type or a union stands for; undefined for a variant that it does not declare. */
function declaredIn(value: unknown, schema: ToolSchema, all: Schemas): ToolSchema | undefined {
  const { $ref, anyOf, oneOf, discriminator } = schema;
  if (typeof $ref === 'string') return all[$ref.slice($ref.lastIndexOf('/') + 1)];
  if (Array.isArray(anyOf)) return anyOf[0] as ToolSchema;
  if (!Array.isArray(oneOf)) return schema;
  const { propertyName, mapping } = discriminator as {
    propertyName: string;
    mapping: Record<string, string>;
  };
  const said = isObject(value) ? value[propertyName] : undefined;
  return typeof said === 'string' && Object.hasOwn(mapping, said) ? { $ref: mapping[said] } : undefined;
}

const members = (value: Readonly<Record<string, unknown>>, properties: Schemas, all: Schemas): unknown =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      Object.hasOwn(value, name) ? [[name, shown(value[name], schema, all)] as const] : [],
    ),
  );

const values = (value: Readonly<Record<string, unknown>>, schema: ToolSchema, all: Schemas): unknown =>
  Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one, schema, all)]));
