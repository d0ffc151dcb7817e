import type { NamedType, NamedTypes, ObjectType, PropertyModel, TypeModel } from './service-model.js';

/** How names in a type are written. */
export interface TypeNames {
  /** `Uuid` where our scalars are imported, `string` where nothing is. */
  readonly scalars: 'flavored' | 'plain';
  /** A reference by name; undefined writes the type inline. */
  nameOf(type: NamedType): string | undefined;
}

const plain = {
  uuid: 'string',
  int: 'number',
  long: 'number',
  decimal: 'string',
  timestamp: 'string',
  duration: 'string',
} as const;
const flavored = {
  uuid: 'Uuid',
  int: 'Int',
  long: 'Long',
  decimal: 'Decimal',
  timestamp: 'Timestamp',
  duration: 'Duration',
} as const;

/** A type as TypeScript. */
export function typeText(type: TypeModel, types: NamedTypes, names: TypeNames): string {
  const of = (inner: TypeModel) => typeText(inner, types, names);
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return String(type.only ?? 'boolean');
    case 'json':
      return names.scalars === 'flavored' ? 'Json' : 'unknown';
    case 'array':
      return `${parenthesised(of(type.item))}[]`;
    case 'map':
      return `Record<string, ${of(type.value)}>`;
    case 'nullable':
      return `${of(type.inner)} | null`;
    case 'ref':
      return refText(type.name, types, names);
    default:
      return (names.scalars === 'flavored' ? flavored : plain)[type.kind];
  }
}

/** The declaration of a named type, without its name. */
export function namedText(named: NamedType, types: NamedTypes, names: TypeNames): string {
  const { type } = named;
  switch (type.kind) {
    case 'enum':
      return type.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'union':
      return type.variants.map(({ name }) => refText(name, types, names)).join(' | ');
    case 'object':
      return objectText(type, types, names);
  }
}

function objectText(type: ObjectType, types: NamedTypes, names: TypeNames): string {
  const lines = type.properties.map((property) => {
    const text = typeText(property.type, types, names);
    const mark = property.required ? ': ' : '?: ';
    return propertyName(property.name) + (names.scalars === 'plain' ? mark + text : absence(property, text));
  });
  return lines.length === 0 ? 'Record<string, never>' : `{ ${lines.join('; ')} }`;
}

/** The type of a property with its name's suffix, by how its declaration allows absence. */
export function absence({ required, saysUndefined }: PropertyModel, type: string): string {
  const mark = required || saysUndefined === 'without ?' ? '' : '?';
  return `${mark}: ${type}${saysUndefined === undefined ? '' : ' | undefined'}`;
}

function refText(name: string, types: NamedTypes, names: TypeNames): string {
  const named = types.get(name);
  if (named === undefined) return name;
  return names.nameOf(named) ?? namedText(named, types, names);
}

export const propertyName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

const parenthesised = (text: string): string =>
  /[|&]/.test(text) && !text.startsWith('{') ? `(${text})` : text;

const scalarNames = /\b(?:Uuid|Int|Long|Decimal|Timestamp|Duration|Json)\b/g;

/** The scalars in a type's text, to be imported. */
export const scalarsIn = (text: string): readonly string[] => [...new Set(text.match(scalarNames))].sort();
