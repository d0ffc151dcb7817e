import type { NamedType, PropertyModel, TypeModel, UnionType } from '../model/service-model.js';
import type { Scope } from './codec-scope.js';
import { namedType } from '../model/reachable-types.js';
import { indented, member, quoted } from './source-text.js';

/** `encodeX`: X → JSON text; none for an enum, which is text already. */
export function encoderOf(scope: Scope, { name, type }: NamedType, exported: boolean): string[] {
  if (type.kind === 'enum' && !exported) return [];
  const body =
    type.kind === 'enum'
      ? [`return ${scope.helper('encodeText')}(value);`]
      : type.kind === 'union'
        ? unionBody(scope, type)
        : objectBody(scope, type.properties);
  return encodeFunction(name, scope.typeName(name), body, exported);
}

/** `encodeX` of a result without a named type. */
export const resultEncoder = (scope: Scope, name: string, type: TypeModel): string[] =>
  encodeFunction(name, scope.typeText(type, 'read'), [`return ${encoding(scope, type, 'value')};`], true);

function encodeFunction(name: string, type: string, body: readonly string[], exported: boolean): string[] {
  const parameter = body.some((line) => /\bvalue\b/.test(line)) ? 'value' : '_value';
  const head = `function encode${name}(${parameter}: ${type}): string {`;
  return [exported ? `export ${head}` : head, ...indented(body), '}'];
}

// By value, not by narrowing: a TypeScript enum may declare the discriminator.
function unionBody(scope: Scope, { discriminator, variants }: UnionType): string[] {
  return [
    `switch (value${member(discriminator)} as string) {`,
    ...variants.flatMap(({ value, name }) => [
      `  case ${quoted(value)}:`,
      `    return encode${name}(value as ${scope.typeName(name)});`,
    ]),
    '  default:',
    "    return 'null';",
    '}',
  ];
}

function objectBody(scope: Scope, properties: readonly PropertyModel[]): string[] {
  const [first, ...others] = properties;
  if (first === undefined) return ["return '{}';"];
  if (!first.required) {
    const members = properties.map((property) => memberText(scope, property, ','));
    return [`const members = ${sum(members)};`, "return '{' + members.slice(1) + '}';"];
  }
  const members = [memberText(scope, first, '{'), ...others.map((other) => memberText(scope, other, ','))];
  return [`return ${sum([...members, "'}'"])};`];
}

const sum = (texts: readonly string[]): string => texts.join(' +\n    ');

function memberText(scope: Scope, { name, type, required }: PropertyModel, before: string): string {
  const value = `value${member(name)}`;
  const text = `${quoted(`${before}${JSON.stringify(name)}:`)} + ${encoding(scope, type, value)}`;
  return required ? text : `(${value} === undefined ? '' : ${text})`;
}

/** An expression for the JSON text of the value. */
function encoding(scope: Scope, type: TypeModel, value: string): string {
  switch (type.kind) {
    case 'nullable':
      return `(${value} === null ? 'null' : ${encoding(scope, type.inner, value)})`;
    case 'array':
      return `${scope.helper('encodeArray')}(${value}, ${encoder(scope, type.item)})`;
    case 'map':
      return `${scope.helper('encodeMap')}(${value}, ${encoder(scope, type.value)})`;
    case 'ref':
      return isEnum(scope, type.name)
        ? `${scope.helper('encodeText')}(${value})`
        : `encode${type.name}(${value})`;
    default:
      return `${scope.helper(helpers[type.kind])}(${value})`;
  }
}

const helpers = {
  text: 'encodeText',
  uuid: 'encodeText',
  decimal: 'encodeText',
  timestamp: 'encodeText',
  duration: 'encodeText',
  int: 'encodeNumber',
  long: 'encodeNumber',
  number: 'encodeNumber',
  boolean: 'encodeBoolean',
  json: 'encodeJson',
} as const;

/** A function that encodes the items of a list or a map. */
function encoder(scope: Scope, type: TypeModel): string {
  const text = encoding(scope, type, 'value');
  const plain = /^(\w+)\(value\)$/.exec(text)?.[1];
  return plain ?? scope.constant('encode', `(value: ${scope.typeText(type, 'read')}) => ${text}`);
}

const isEnum = (scope: Scope, name: string): boolean => namedType(scope.model, name).type.kind === 'enum';
