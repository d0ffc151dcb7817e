import { type Field, type Keyword, typeText, type SchemaType, type TypeRef } from './schema.js';

export type Types = ReadonlyMap<string | null, SchemaType>;

/** A document that calls a field with its required input, and selects its result; a list with its length. */
export function exampleCall(keyword: Keyword, { name, args, type }: Field, types: Types) {
  const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const given = args.filter((argument) => argument.type.kind === 'NON_NULL' || argument.name === 'first');
  const inParentheses = (texts: readonly string[]) => (texts.length === 0 ? '' : `(${texts.join(', ')})`);
  const declared = inParentheses(given.map((argument) => `$${argument.name}: ${typeText(argument.type)}`));
  const passed = inParentheses(given.map((argument) => `${argument.name}: $${argument.name}`));
  const values = given.map((argument) => [argument.name, exampleOf(argument.type, types)] as const);
  return {
    query: `${keyword} ${title}${declared} {\n  ${name}${passed}${selectionOf(type, types, '  ')}\n}\n`,
    variables: given.length === 0 ? '' : JSON.stringify(Object.fromEntries(values), null, 2),
  };
}

const examples: Readonly<Record<string, unknown>> = {
  ID: '01890a5d-ac96-774b-bcce-b302099a8057',
  Uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  String: 'text',
  Int: 1,
  Long: 1,
  Float: 1.5,
  Decimal: '9.99',
  Boolean: true,
  Timestamp: '2030-01-01T12:00:00Z',
  Duration: 'PT1H',
  JSON: {},
};

function exampleOf(type: TypeRef, types: Types, depth = 0): unknown {
  const { kind, ofType, name } = type;
  if (kind === 'NON_NULL' && ofType) return exampleOf(ofType, types, depth);
  if (kind === 'LIST' && ofType) return depth > 6 ? [] : [exampleOf(ofType, types, depth + 1)];
  const known = types.get(name);
  if (known?.kind === 'ENUM') return known.enumValues?.[0]?.name;
  if (known?.kind !== 'INPUT_OBJECT') return examples[name ?? ''] ?? '';
  const needed = (known.inputFields ?? []).filter(
    (field) => field.type.kind === 'NON_NULL' && field.defaultValue === null,
  );
  return Object.fromEntries(needed.map((field) => [field.name, exampleOf(field.type, types, depth + 1)]));
}

function selectionOf(type: TypeRef, types: Types, indent: string): string {
  const known = named(type, types);
  if (known?.kind === 'UNION') return ' { __typename }';
  if (known?.kind !== 'OBJECT') return '';
  const inner = `${indent}  `;
  if (inner.length > 10) return ' { __typename }';
  const members = (known.fields ?? []).map(
    (field) => `${inner}${field.name}${selectionOf(field.type, types, inner)}`,
  );
  return ` {\n${members.join('\n')}\n${indent}}`;
}

const named = ({ ofType, name }: TypeRef, types: Types): SchemaType | undefined =>
  ofType ? named(ofType, types) : types.get(name);
