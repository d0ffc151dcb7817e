import { pointerStep } from '../../../contracts/json-pointer.js';
import type {
  EnumType,
  NamedType,
  ObjectType,
  PropertyModel,
  TextLimits,
  TypeModel,
  UnionType,
} from '../model/service-model.js';
import type { Scope } from './codec-scope.js';
import { indented, key, member, quoted, templated } from './source-text.js';

const parameters = 'value: unknown, path: string, faults: codec.Fault[]';
const passed = 'value, path, faults';

/** `decodeX`: JSON → a new X, or all faults. */
export function decoderOf(scope: Scope, named: NamedType, exported: boolean): string[] {
  const { name, type } = named;
  const body =
    type.kind === 'enum'
      ? enumBody(scope, name, type)
      : type.kind === 'union'
        ? unionBody(scope, type)
        : objectBody(scope, named, type);
  const head = `function decode${name}(${parameters}): ${scope.typeName(name)} {`;
  return [exported ? `export ${head}` : head, ...indented(body), '}'];
}

function enumBody(scope: Scope, name: string, { values }: EnumType): string[] {
  return [`return ${scope.helper('oneOf')}(${passed}, ${valuesOf(scope, values)}) as ${name};`];
}

function unionBody(scope: Scope, { discriminator, variants }: UnionType): string[] {
  const tag = `from[${quoted(discriminator)}]`;
  const values = valuesOf(
    scope,
    variants.map(({ value }) => value),
  );
  return [
    `const from = ${scope.helper('object')}(${passed});`,
    `if (from === undefined) return ${scope.helper('invalid')};`,
    `switch (${tag}) {`,
    ...variants.flatMap(({ value, name }) => [
      `  case ${quoted(value)}:`,
      `    return decode${name}(${passed});`,
    ]),
    '  default:',
    `    ${scope.helper('oneOf')}(${tag}, ${pathOf(discriminator)}, faults, ${values});`,
    `    return ${scope.helper('invalid')};`,
    '}',
  ];
}

const valuesOf = (scope: Scope, values: readonly string[]): string =>
  scope.constant('values', `[${values.map(quoted).join(', ')}]`);

function objectBody(scope: Scope, { name, isClass }: NamedType, { properties }: ObjectType): string[] {
  const names = scope.constant(
    'names',
    properties.length === 0
      ? 'new Set<string>()'
      : `new Set([${properties.map((property) => quoted(property.name)).join(', ')}])`,
  );
  const object = `${scope.helper('object')}(${passed}, ${names})`;
  const invalid = scope.helper('invalid');
  const optional = properties.filter((property) => !property.required);
  return [
    ...(properties.length === 0
      ? [`if (${object} === undefined) return ${invalid};`]
      : [`const from = ${object};`, `if (from === undefined) return ${invalid};`]),
    ...(isClass ? constructed(scope, name, properties) : literal(scope, name, properties)),
    ...optional.map((property) => `if (${isGiven(scope, property)}) ${filled(scope, property)}`),
    isClass ? 'return made;' : 'return to;',
  ];
}

function isGiven(scope: Scope, property: PropertyModel): string {
  const takesNull = property.type.kind === 'nullable' || property.type.kind === 'json';
  const value = given(scope, property);
  return takesNull ? `${value} !== undefined` : `${scope.helper('isGiven')}(${value}, faults)`;
}

/** A class keeps its identity, and the initializers of absent members. */
function constructed(scope: Scope, name: string, properties: readonly PropertyModel[]): string[] {
  const made = `const made = new ${scope.classOf(name)}();`;
  if (properties.length === 0) return [made];
  const required = properties.filter((property) => property.required);
  return [
    made,
    `const to: codec.Writable<${name}> = made;`,
    ...required.map((property) => filled(scope, property)),
  ];
}

function literal(scope: Scope, name: string, properties: readonly PropertyModel[]): string[] {
  const entries = properties
    .filter(({ required, saysUndefined }) => required || saysUndefined === 'without ?')
    .map(
      (property) => `${key(property.name)}: ${property.required ? decoded(scope, property) : 'undefined'},`,
    );
  return [`const to: codec.Writable<${name}> = {`, ...indented(entries), '};'];
}

const filled = (scope: Scope, property: PropertyModel): string =>
  `to${member(property.name)} = ${decoded(scope, property)};`;

const decoded = (scope: Scope, property: PropertyModel): string =>
  decoding(scope, property.type, given(scope, property), pathOf(property.name));

const given = (scope: Scope, { name }: PropertyModel): string =>
  name in Object.prototype ? `${scope.helper('own')}(from, ${quoted(name)})` : `from[${quoted(name)}]`;

const pathOf = (name: string): string => `\`\${path}/${templated(pointerStep(name))}\``;

/** An expression that decodes the value at the path. */
function decoding(scope: Scope, type: TypeModel, value: string, path: string): string {
  const at = `${value}, ${path}, faults`;
  switch (type.kind) {
    case 'nullable':
      return `${value} === null ? null : ${decoding(scope, type.inner, value, path)}`;
    case 'array':
      return `${scope.helper('array')}(${at}, ${decoder(scope, type.item)}${limited(scope, type.limits)})`;
    case 'map':
      return `${scope.helper('map')}(${at}, ${decoder(scope, type.value)})`;
    case 'ref':
      return `decode${type.name}(${at})`;
    case 'boolean':
      return `${scope.helper('boolean')}(${at}${type.only === undefined ? '' : `, ${type.only}`})`;
    default:
      return `${scope.helper(type.kind)}(${at}${'limits' in type ? limited(scope, type.limits) : ''})`;
  }
}

/** A function that decodes the items of a list or a map. */
function decoder(scope: Scope, type: TypeModel): string {
  const text = decoding(scope, type, 'value', 'path');
  const plain = /^(\w+)\(value, path, faults\)$/.exec(text)?.[1];
  return plain ?? scope.constant('decode', `(${parameters}) => (${text})`);
}

function limited(scope: Scope, limits: TextLimits | object): string {
  const { pattern, format, ...numbers }: TextLimits = limits;
  const entries = Object.entries(numbers).map(([name, value]) => `${name}: ${value}`);
  if (format !== undefined) entries.push(`format: ${quoted(format)}`);
  if (pattern !== undefined)
    entries.push(`pattern: new RegExp(${quoted(new RegExp(pattern, 'u').source)}, 'u')`);
  // The format name must not widen to a string.
  const kept = format === undefined ? '' : ' as const';
  return entries.length === 0 ? '' : `, ${scope.constant('limits', `{ ${entries.join(', ')} }${kept}`)}`;
}
