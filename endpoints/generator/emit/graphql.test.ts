import { buildSchema } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { emitSchema } from './graphql.js';

const test = suite('GraphQL schema');

const golden = `type Query {
  """The runtime that serves this schema."""
  service: String!
}

type Mutation {
  cancelOrder(request: CancelOrderRequestInput!): Boolean
  """Places an order."""
  createOrder(command: CreateOrderInput!): CreateOrderResult
}

input AddressInput {
  street: String!
  zipCode: String!
}

input CancelOrderRequestInput {
  orderId: Uuid!
  why: String
}

input CreateOrderInput {
  customerId: Uuid!
  lineItems: [LineItemInput!]!
  shippingAddress: AddressInput!
  priority: Priority! = normal
  payment: JSON
  labels: JSON
  """For the packer."""
  note: String
  weight: Float
  deliverAfter: Timestamp
  extra: JSON
  gift: Boolean! = false
  reference: Long
}

type CreateOrderResult {
  orderId: Uuid!
  total: Decimal!
  priority: Priority!
}

"""An exact decimal number as text; a number is accepted too."""
scalar Decimal

"""Any JSON value."""
scalar JSON

input LineItemInput {
  productId: String!
  quantity: Int!
  unitPrice: Decimal!
  parts: [LineItemInput!]
}

"""An integer between -(2^53 - 1) and 2^53 - 1."""
scalar Long

"""How fast it must be."""
enum Priority {
  normal
  express
}

"""ISO 8601 with an offset."""
scalar Timestamp

"""A UUID in lower case."""
scalar Uuid
`;

test('every command with a mutation is a field; its input and its result are types', () => {
  assert.is(emitSchema(exampleModel()), golden);
});

test('the text is a valid schema', () => {
  assert.not.throws(() => buildSchema(emitSchema(exampleModel())));
});

test('a command without a mutation is absent, with all types that only it reaches', () => {
  const model = exampleModel();
  const commands = model.commands.map((command) =>
    command.name === 'CreateOrder' ? { ...command, graphQLMutation: null } : command,
  );
  const text = emitSchema({ ...model, commands });
  assert.not.match(text, /createOrder|LineItem|Decimal|Priority/);
  assert.match(text, /cancelOrder\(request: CancelOrderRequestInput!\): Boolean/);
});

test('without any mutation there is no schema', () => {
  const model = exampleModel();
  const commands = model.commands.map((command) => ({ ...command, graphQLMutation: null }));
  assert.is(emitSchema({ ...model, commands }), '');
  assert.is(emitSchema({ ...model, commands: [] }), '');
});

test('a command without fields takes no argument', () => {
  const model = exampleModel();
  const types = new Map(model.types);
  const nothing = types.get('CancelOrderRequest');
  assert.ok(nothing);
  types.set('CancelOrderRequest', { ...nothing, type: { kind: 'object', properties: [] } });
  assert.match(emitSchema({ ...model, types }), /^ {2}cancelOrder: Boolean$/m);
});
