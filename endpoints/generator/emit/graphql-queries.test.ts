import { buildSchema, isObjectType } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleWithReads } from '../testing/example-model.js';
import { emitSchema } from './graphql.js';

const test = suite('GraphQL queries');

const onlyReads = (columns?: Parameters<typeof exampleWithReads>[0]) => ({
  ...exampleWithReads(columns),
  commands: [],
});

const golden = `type Query {
  """The runtime that serves this schema."""
  service: String!
  """Where orders went."""
  shopAddresses(
    """Rows must match all of it."""
    filter: ShopAddressesFilter
    """Rows without a value come last; rows with equal values follow by their id."""
    sort: [ShopAddressesSort!]
    """How many rows, at most 100."""
    first: Int = 10
    """The cursor of the row to continue after, with the same filter and sort."""
    after: String
  ): ShopAddressesConnection!
  """A row of shopAddresses; null when there is none that you may see."""
  shopAddress(id: ID!): Address
}

type Address {
  street: String!
  zipCode: String!
}

"""An integer between -(2^53 - 1) and 2^53 - 1."""
scalar Long

type PageInfo {
  hasNextPage: Boolean!
  """The cursor of the last row."""
  endCursor: String
}

type ShopAddressesConnection {
  edges: [ShopAddressesEdge!]!
  pageInfo: PageInfo!
  """How many rows match; exact up to 1,000, then estimated."""
  totalCount: Long!
  totalCountIs: TotalCountKind!
}

type ShopAddressesEdge {
  cursor: String!
  node: Address
}

input ShopAddressesFilter {
  zipCode: StringFilter
}

enum ShopAddressesSort {
  zipCode_asc
  zipCode_desc
}

"""A row without a value matches none of it."""
input StringFilter {
  eq: String
  """Any of these values, at most 100."""
  in: [String!]
  gte: String
  gt: String
  lte: String
  lt: String
  """A part of the text, in any case."""
  contains: String
}

enum TotalCountKind {
  exact
  estimated
}
`;

/** Without the types of subscriptions. */
const withoutChanges = (text: string): string =>
  text.replace(/(?:type Subscription|enum ChangeType|type ShopAddressesChange) \{[^}]*\}\n\n/g, '');

const zipCode = [{ name: 'zipCode', type: 'text' }] as const;

test('a perspective with a route is a connection and a field for one row', () => {
  assert.is(withoutChanges(emitSchema(onlyReads(zipCode))), golden);
});

test('it is watched by the same names, as a list and as one row', () => {
  const text = emitSchema(onlyReads(zipCode));
  const [subscriptions = ''] = /type Subscription \{[^}]*\}/.exec(text) ?? [];
  assert.is(
    subscriptions,
    `type Subscription {
  """What changes in shopAddresses."""
  shopAddresses(filter: ShopAddressesFilter, after: String): ShopAddressesChange!
  """What changes in a row of shopAddresses."""
  shopAddress(id: ID!, after: String): ShopAddressesChange!
}`,
  );
  const change = buildSchema(text).getType('ShopAddressesChange');
  assert.ok(isObjectType(change));
  assert.equal(
    Object.values(change.getFields()).map(({ name, type }) => `${name}: ${String(type)}`),
    ['type: ChangeType!', 'position: String!', 'id: ID', 'row: Address'],
  );
});

test('every column has the comparisons of its type', () => {
  const text = emitSchema(onlyReads());
  assert.match(
    text,
    /input ShopAddressesFilter \{\n {2}zipCode: StringFilter\n {2}owner: UuidFilter\n {2}floors: IntFilter\n {2}visits: LongFilter\n {2}spent: DecimalFilter\n {2}isActive: BooleanFilter\n {2}since: TimestampFilter\n\}/,
  );
  assert.match(text, /input BooleanFilter \{\n {2}eq: Boolean\n.*\n {2}in: \[Boolean!\]\n\}/);
  assert.match(text, /input DecimalFilter \{\n(?: {2}.*\n)* {2}lt: Decimal\n\}/);
  assert.is(text.match(/contains:/g)?.length, 1);
});

test('without columns there is nothing to filter or sort by', () => {
  assert.not.match(emitSchema(onlyReads([])), /filter:|sort:|Filter|Sort/);
});

test('commands and perspectives share one valid schema', () => {
  const schema = buildSchema(emitSchema(exampleWithReads()));
  assert.equal(Object.keys(schema.getQueryType()?.getFields() ?? {}), [
    'service',
    'shopAddresses',
    'shopAddress',
  ]);
  assert.ok(schema.getMutationType()?.getFields()['createOrder']);
});

test('the types of a service keep their names', () => {
  const model = onlyReads();
  const types = new Map(model.types);
  const address = types.get('Address');
  assert.ok(address);
  types.set('PageInfo', { ...address, name: 'PageInfo' });
  const row = { kind: 'ref', name: 'PageInfo' } as const;
  const perspectives = model.perspectives.map((perspective) => ({
    ...perspective,
    query: perspective.query && { ...perspective.query, row },
  }));
  const text = emitSchema({ ...model, types, perspectives });
  assert.match(text, /type PageInfo \{\n {2}street/);
  assert.match(text, /pageInfo: PageInfo_!/);
  assert.not.throws(() => buildSchema(text));
});
