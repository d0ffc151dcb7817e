import { defaultMaxDigits } from '../../../contracts/decimal.js';
import {
  decimalPattern,
  decimalPatternOf,
  durationPattern,
  timestampPattern,
} from '../../../contracts/scalar-patterns.js';
import type {
  DecimalLimits,
  NamedType,
  NumberLimits,
  ObjectType,
  PropertyModel,
  ServiceModel,
  TypeModel,
} from '../model/service-model.js';
import { Memo } from '../model/memo.js';
import { namedType, bodyTypes, queryTypes, resultTypes } from '../model/reachable-types.js';

/** JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

interface SchemaOptions {
  /** The prefix of every `$ref`. */
  readonly refs: string;
  /** A decimal is received as a number or as text, and sent as text. */
  readonly decimals: 'number or text' | 'text';
  /** Agents' clients warn of a format that JSON Schema has not; OpenAPI has more. */
  readonly onlyStandardFormats?: boolean;
}

export const arriving: SchemaOptions = { refs: '#/components/schemas/', decimals: 'number or text' };
export const leaving: SchemaOptions = { ...arriving, decimals: 'text' };

/** The schemas of all types that bodies, results and queries reach, by name. */
export function definitionsOf(model: ServiceModel, refs = arriving.refs): Record<string, Schema> {
  return Object.fromEntries(
    definedTypes(model).map(([type, options]) => [type.name, definitionOf(type, { ...options, refs })]),
  );
}

/** All types with a schema, by name, with their direction. */
export function definedTypes(
  model: ServiceModel,
  memo = new Memo(),
): readonly (readonly [NamedType, SchemaOptions])[] {
  const bodies = new Set(bodyTypes(model, memo));
  const names = [...new Set([...bodies, ...resultTypes(model, memo), ...queryTypes(model)])].sort();
  return names.map((name) => [namedType(model, name), bodies.has(name) ? arriving : leaving]);
}

export function definitionOf({ type, description }: NamedType, options: SchemaOptions): Schema {
  const described = description === undefined ? {} : { description };
  switch (type.kind) {
    case 'enum':
      return { type: 'string', ...described, enum: type.values };
    case 'object':
      return { ...described, ...objectSchema(type, options) };
    case 'union': {
      const refOf = (name: string): string => options.refs + name;
      const names = [...new Set(type.variants.map(({ name }) => name))];
      const mapping = Object.fromEntries(type.variants.map(({ value, name }) => [value, refOf(name)]));
      return {
        ...described,
        oneOf: names.map((name) => ({ $ref: refOf(name) })),
        discriminator: { propertyName: type.discriminator, mapping },
      };
    }
  }
}

function objectSchema({ properties }: ObjectType, options: SchemaOptions): Schema {
  const required = properties.filter((property) => property.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      properties.map((property) => [property.name, propertySchema(property, options)]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

export function propertySchema(
  { type, description, default: initial }: PropertyModel,
  options: SchemaOptions,
): Schema {
  return {
    ...schemaOf(type, options),
    ...(description === undefined ? {} : { description }),
    ...(initial === undefined ? {} : { default: initial.value }),
  };
}

export function schemaOf(type: TypeModel, options: SchemaOptions): Schema {
  switch (type.kind) {
    case 'ref':
      return { $ref: options.refs + type.name };
    case 'array':
      return { type: 'array', items: schemaOf(type.item, options), ...type.limits };
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(type.value, options) };
    case 'nullable':
      return orNull(schemaOf(type.inner, options));
    case 'decimal':
      return decimalSchema(type.limits, options);
    default:
      return scalarSchema(type);
  }
}

type ScalarType = Exclude<TypeModel, { kind: 'ref' | 'array' | 'map' | 'nullable' | 'decimal' }>;

function scalarSchema(type: ScalarType): Schema {
  switch (type.kind) {
    case 'text':
      return { type: 'string', ...type.limits };
    case 'uuid':
      return { type: 'string', format: 'uuid', pattern: uuidPattern };
    case 'int':
      return { type: 'integer', format: 'int32', ...bounds(type.limits, -(2 ** 31), 2 ** 31 - 1) };
    case 'long':
      return {
        type: 'integer',
        format: 'int64',
        ...bounds(type.limits, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      };
    case 'number':
      return { type: 'number', ...type.limits };
    case 'timestamp':
      return { type: 'string', format: 'date-time', pattern: timestampPattern.source };
    case 'duration':
      // No `format: duration`: RFC 3339 has no fractions of a second.
      return { type: 'string', pattern: durationPattern.source };
    case 'boolean':
      return { type: 'boolean', ...(type.only === undefined ? {} : { const: type.only }) };
    case 'json':
      return {};
  }
}

function decimalSchema(
  { maxDigits = defaultMaxDigits, ...limits }: DecimalLimits,
  { decimals, onlyStandardFormats = false }: SchemaOptions,
): Schema {
  const text = { type: 'string', ...(onlyStandardFormats ? {} : { format: 'decimal' }) };
  if (decimals === 'text') return { ...text, pattern: decimalPattern.source };
  return {
    anyOf: [
      { ...text, pattern: decimalPatternOf(maxDigits) },
      { type: 'number', ...limits },
    ],
  };
}

function orNull(schema: Schema): Schema {
  if (Object.keys(schema).length === 0) return schema;
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
  const choices = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema];
  return { anyOf: [...choices, { type: 'null' }] };
}

const bounds = ({ minimum, maximum }: NumberLimits, lowest: number, highest: number): Schema => ({
  minimum: Math.max(minimum ?? lowest, lowest),
  maximum: Math.min(maximum ?? highest, highest),
});

/** Upper case is accepted and stored in lower case. */
const uuidPattern = '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
