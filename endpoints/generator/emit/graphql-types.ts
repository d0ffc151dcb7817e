import type {
  EnumType,
  NamedType,
  NamedTypes,
  ObjectType,
  PropertyModel,
  ServiceModel,
  TypeModel,
  UnionType,
} from '../model/service-model.js';
import { literalOf } from './graphql-literal.js';
import { describe, isEnumValue, isGraphQLName, quoted } from './graphql-text.js';
import { Memo } from '../model/memo.js';
import { trackedTypes } from '../model/reachable-types.js';

type Direction = 'input' | 'output';

const scalars = {
  text: 'String',
  uuid: 'Uuid',
  int: 'Int',
  long: 'Long',
  number: 'Float',
  decimal: 'Decimal',
  timestamp: 'Timestamp',
  duration: 'Duration',
  boolean: 'Boolean',
  json: 'JSON',
  map: 'JSON',
} as const;

const builtIn = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);

const descriptions: Readonly<Record<string, string>> = {
  Uuid: 'A UUID in lower case.',
  Long: 'An integer between -(2^53 - 1) and 2^53 - 1.',
  Decimal: 'An exact decimal number as text; a number is accepted too.',
  Timestamp: 'ISO 8601 with an offset.',
  Duration: 'An ISO 8601 duration.',
  JSON: 'Any JSON value.',
};

const discriminated =
  '"""Which member of the union a value is, by the text of one property."""\n' +
  'directive @discriminated(by: String!, values: [String!]!, types: [String!]!) on UNION';

/** Writes types in SDL, and collects the definitions of named ones. */
export class GraphQLTypes {
  readonly #definitions = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #usedNames = new Set([...Object.values(scalars), ...builtIn, 'Query', 'Mutation', 'Subscription']);

  constructor(
    private readonly types: ServiceModel['types'],
    private readonly memo = new Memo(),
  ) {}

  /** The definitions that the types so far need, by name. */
  definitions(): string[] {
    return [...this.#definitions].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  typeText(type: TypeModel, direction: Direction): string {
    const mayBeNull = type.kind === 'nullable' || type.kind === 'json';
    return this.nullable(type, direction) + (mayBeNull ? '' : '!');
  }

  /** The type without the `!` of a non-null value. */
  nullable(type: TypeModel, direction: Direction): string {
    switch (type.kind) {
      case 'nullable':
        return this.nullable(type.inner, direction);
      case 'array':
        return `[${this.typeText(type.item, direction)}]`;
      case 'ref':
        return this.#ref(type.name, direction);
      default:
        return this.#scalar(scalars[type.kind]);
    }
  }

  /** A scalar of the runtime or of GraphQL, by its name. */
  scalar(kind: keyof typeof scalars): string {
    return this.#scalar(scalars[kind]);
  }

  /** A definition beside the types of the service, which keep their names. */
  define(wanted: string, textOf: (name: string) => string): string {
    const key = `beside ${wanted}`;
    const isKnown = this.#names.has(key);
    const name = this.#nameFor(key, wanted);
    if (!isKnown) this.#definitions.set(name, textOf(name));
    return name;
  }

  #ref(name: string, direction: Direction): string {
    const named = this.types.get(name);
    if (named === undefined || !isExpressible(named.type, direction, this.types)) return this.#scalar('JSON');
    const { type } = named;
    if (type.kind === 'enum') return isNamed(type) ? this.#enum(named, type) : 'String';
    return type.kind === 'union' ? this.#union(named, type) : this.#object(named, type, direction);
  }

  #enum(named: NamedType, { values }: EnumType): string {
    const name = this.#nameOf(named, 'enum');
    const lines = values.map((value) => `  ${value}`);
    if (!this.#definitions.has(name)) this.#definitions.set(name, definition(named, 'enum', name, lines));
    return name;
  }

  /** The text is reused while it refers to the same names. */
  #object(named: NamedType, { properties }: ObjectType, direction: Direction): string {
    const keyword = direction === 'input' ? 'input' : 'type';
    const name = this.#nameOf(named, keyword);
    if (this.#definitions.has(name)) return name;
    // Registered before it is written: its own fields may refer to it.
    this.#definitions.set(name, '');
    const leadsTo = properties.map(({ type }) => this.nullable(innermost(type), direction));
    const text = this.memo.of(`graphql ${keyword}`, named, [name, ...leadsTo], this.types, (ask) => {
      const types = trackedTypes(ask);
      const line = (property: PropertyModel) =>
        direction === 'input' ? this.#inputField(property, types) : this.#outputField(property, types);
      return definition(named, keyword, name, properties.map(line));
    });
    this.#definitions.set(name, text);
    return name;
  }

  #nameOf({ name }: NamedType, keyword: 'enum' | 'input' | 'type'): string {
    return this.#nameFor(`${keyword} ${name}`, keyword === 'input' ? `${name}Input` : name);
  }

  #inputField(property: PropertyModel, types: NamedTypes): string {
    const { name, type, required } = property;
    const literal = property.default && literalOf(property.default.value, type, types);
    const isNeverNull = required || literal !== undefined;
    const text = isNeverNull ? this.typeText(type, 'input') : this.nullable(type, 'input');
    return described(property, `${name}: ${text}${literal === undefined ? '' : ` = ${literal}`}`, types);
  }

  #outputField(property: PropertyModel, types: NamedTypes): string {
    const { name, type, required } = property;
    const text = required ? this.typeText(type, 'output') : this.nullable(type, 'output');
    return described(property, `${name}: ${text}`, types);
  }

  #union(named: NamedType, { discriminator, variants }: UnionType): string {
    this.#definitions.set('', discriminated);
    const name = this.#nameFor(`union ${named.name}`, named.name);
    const members = variants.map((variant) => this.#ref(variant.name, 'output'));
    const values = variants.map(({ value }) => quoted(value)).join(', ');
    const types = members.map(quoted).join(', ');
    const mark = `@discriminated(by: ${quoted(discriminator)}, values: [${values}], types: [${types}])`;
    const union = `union ${name} ${mark} = ${[...new Set(members)].join(' | ')}`;
    this.#definitions.set(name, describe(named.description) + union);
    return name;
  }

  #nameFor(key: string, wanted: string): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    let name = wanted;
    while (this.#usedNames.has(name)) name += '_';
    this.#usedNames.add(name);
    this.#names.set(key, name);
    return name;
  }

  #scalar(name: string): string {
    if (!builtIn.has(name)) this.#definitions.set(name, `${describe(descriptions[name])}scalar ${name}`);
    return name;
  }
}

const definition = (
  { description }: NamedType,
  keyword: string,
  name: string,
  lines: readonly string[],
): string => `${describe(description)}${keyword} ${name} {\n${lines.join('\n')}\n}`;

const described = (property: PropertyModel, line: string, types: NamedTypes): string =>
  `${describe(descriptionOf(property, types), '  ')}  ${line}`;

const isNamed = ({ values }: EnumType): boolean => values.every(isEnumValue);

/** GraphQL has no objects without fields, no field names that are not names, and no unions of inputs. */
function isExpressible(
  type: ObjectType | EnumType | UnionType,
  direction: Direction,
  types: ServiceModel['types'],
): boolean {
  if (type.kind === 'enum') return true;
  if (type.kind === 'object')
    return type.properties.length > 0 && type.properties.every((property) => isGraphQLName(property.name));
  if (direction === 'input') return false;
  return type.variants.every(({ name }) => {
    const variant = types.get(name)?.type;
    return variant?.kind === 'object' && isExpressible(variant, direction, types);
  });
}

/** Also lists the values of an enum that had to become a String. */
function descriptionOf({ description, type }: PropertyModel, types: NamedTypes): string | undefined {
  const inner = innermost(type);
  const named = inner.kind === 'ref' ? types.get(inner.name)?.type : undefined;
  if (named?.kind !== 'enum' || isNamed(named)) return description;
  const values = `One of ${named.values.map(quoted).join(', ')}.`;
  return description === undefined ? values : `${description}\n${values}`;
}

function innermost(type: TypeModel): TypeModel {
  if (type.kind === 'nullable') return innermost(type.inner);
  return type.kind === 'array' ? innermost(type.item) : type;
}
