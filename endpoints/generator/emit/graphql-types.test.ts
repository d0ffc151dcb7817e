import { buildSchema } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import type { NamedType, PropertyModel, TypeModel } from '../model/service-model.js';
import { GraphQLTypes } from './graphql-types.js';

const test = suite('GraphQL types');

const ref = (name: string): TypeModel => ({ kind: 'ref', name });
const string: TypeModel = { kind: 'text', limits: {} };

const property = (name: string, type: TypeModel, more: Partial<PropertyModel> = {}): PropertyModel => ({
  name,
  type,
  required: true,
  default: undefined,
  sensitive: false,
  description: undefined,
  ...more,
});

const named = (name: string, type: NamedType['type']): NamedType => ({
  name,
  type,
  description: undefined,
  declared: undefined,
  isClass: false,
});

const object = (name: string, ...properties: PropertyModel[]): NamedType =>
  named(name, { kind: 'object', properties });

const typesOf = (...all: NamedType[]) => new GraphQLTypes(new Map(all.map((type) => [type.name, type])));

/** The SDL of a type and all it reaches, checked to be a schema. */
function definitionsOf(types: GraphQLTypes, type: TypeModel, direction: 'input' | 'output'): string {
  const text = types.nullable(type, direction);
  const definitions = types.definitions().join('\n');
  buildSchema(
    `type Query { ${direction === 'input' ? `a(b: ${text}): Int` : `a: ${text}`} }\n${definitions}`,
  );
  return definitions;
}

const card = object('Card', property('method', ref('CardMethod')), property('number', string));
const cardMethod = named('CardMethod', { kind: 'enum', values: ['card'] });
const cash = object('Cash', property('method', ref('CashMethod')));
const cashMethod = named('CashMethod', { kind: 'enum', values: ['in-cash'] });
const payment = named('Payment', {
  kind: 'union',
  discriminator: 'method',
  variants: [
    { value: 'card', name: 'Card' },
    { value: 'in-cash', name: 'Cash' },
  ],
});
const paying = [card, cardMethod, cash, cashMethod, payment];

test('a union of results is a union that declares its discriminator', () => {
  const text = definitionsOf(typesOf(...paying), ref('Payment'), 'output');
  const mark = '@discriminated(by: "method", values: ["card", "in-cash"], types: ["Card", "Cash"])';
  assert.ok(text.includes(`union Payment ${mark} = Card | Cash`));
});

test('a union of inputs is JSON', () => {
  assert.is(typesOf(...paying).nullable(ref('Payment'), 'input'), 'JSON');
});

test('an enum with a value that is not a name is a String that lists its values', () => {
  const text = definitionsOf(typesOf(...paying), ref('Cash'), 'output');
  assert.ok(text.includes('  "One of \\"in-cash\\"."\n  method: String!'));
});

test('maps are JSON', () => {
  assert.is(typesOf().typeText({ kind: 'map', value: string }, 'output'), 'JSON!');
});

test('JSON may be null, so it is never required', () => {
  assert.is(typesOf().typeText({ kind: 'array', item: { kind: 'json' }, limits: {} }, 'input'), '[JSON]!');
});

test('every scalar has its name', () => {
  const kinds = ['uuid', 'timestamp', 'duration', 'boolean'] as const;
  const numbers = ['int', 'long', 'number', 'decimal'] as const;
  const scalars = [
    ...kinds.map((kind) => typesOf().typeText({ kind }, 'output')),
    ...numbers.map((kind) => typesOf().typeText({ kind, limits: {} }, 'output')),
  ];
  const names = ['Uuid!', 'Timestamp!', 'Duration!', 'Boolean!', 'Int!', 'Long!', 'Float!', 'Decimal!'];
  assert.equal(scalars, names);
});

test('recursive and mutually recursive types end', () => {
  const tree = object(
    'Tree',
    property('children', { kind: 'array', item: ref('Tree'), limits: {} }),
    property('owner', ref('Owner'), { required: false }),
  );
  const owner = object('Owner', property('trees', { kind: 'array', item: ref('Tree'), limits: {} }));
  for (const direction of ['input', 'output'] as const) {
    const suffix = direction === 'input' ? 'Input' : '';
    const text = definitionsOf(typesOf(tree, owner), ref('Tree'), direction);
    assert.ok(text.includes(`  children: [Tree${suffix}!]!\n  owner: Owner${suffix}\n`));
  }
});

test('an object without fields, or with a field that is not a name, is JSON', () => {
  const types = typesOf(object('Nothing'), object('Odd', property('in-progress', string)));
  assert.is(types.nullable(ref('Nothing'), 'output'), 'JSON');
  assert.is(types.nullable(ref('Odd'), 'input'), 'JSON');
});

test('a name that GraphQL or another type uses gets an underscore', () => {
  const types = typesOf(
    object('Query', property('a', string)),
    object('Order', property('a', string)),
    object('OrderInput', property('a', string)),
  );
  assert.is(types.nullable(ref('Query'), 'output'), 'Query_');
  assert.is(types.nullable(ref('OrderInput'), 'output'), 'OrderInput');
  assert.is(types.nullable(ref('Order'), 'input'), 'OrderInput_');
  assert.is(types.nullable(ref('Order'), 'input'), 'OrderInput_');
});

test('a default makes a field optional, but not nullable', () => {
  const speed = named('Speed', { kind: 'enum', values: ['slow', 'fast'] });
  const order = object(
    'Order',
    property('speed', ref('Speed'), { required: false, default: { value: 'slow' } }),
    property('tags', { kind: 'map', value: string }, { required: false, default: { value: { 'a-b': 'c' } } }),
  );
  const definitions = definitionsOf(typesOf(order, speed), ref('Order'), 'input');
  assert.ok(definitions.includes('  speed: Speed! = slow\n  tags: JSON\n'));
});
