import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { listQueryIn } from '../../agents/list-query.js';
import type { ToolEntry, ToolSchema } from '../../agents/tool-entry.js';
import { exampleModel, exampleWithReads } from '../testing/example-model.js';
import { emitTools } from './tools.js';
import { askOracle } from './testing/schema-oracle.js';

const test = suite('tools of agents, as generated');

const model = exampleModel();
const withAgent = {
  ...model,
  commands: model.commands.map((command) => ({
    ...command,
    description: 'Does it.',
    agent: { destructive: false },
  })),
};
const entriesOf = (of: typeof model): readonly ToolEntry[] =>
  JSON.parse(emitTools(of)) as readonly ToolEntry[];
const toolOf = (name: string, of: typeof model = withAgent) => {
  const found = entriesOf(of).find(({ tool }) => tool.name === name);
  assert.ok(found !== undefined, name);
  return found.tool;
};
const partOf = (schema: ToolSchema, name: string): ToolSchema => schema[name] as ToolSchema;

test('without agent there is no text', () => {
  assert.is(emitTools(model), '');
});

test('a tool has the arguments of the request, and a key for doing it again', () => {
  const { inputSchema, annotations, title } = toolOf('cancel_order');
  assert.equal(Object.keys(partOf(inputSchema, 'properties')), ['orderId', 'why', 'idempotencyKey']);
  assert.equal([inputSchema['required'], inputSchema['additionalProperties']], [['orderId'], false]);
  assert.equal(
    [annotations.destructiveHint, annotations.readOnlyHint, title],
    [false, false, 'Cancel order'],
  );
});

test('each schema stands alone and accepts what the tool takes', async () => {
  const { inputSchema } = toolOf('create_order');
  const { $defs, ...schema } = inputSchema;
  const definitions = JSON.parse(
    JSON.stringify($defs).replaceAll('#/$defs/', '#/components/schemas/'),
  ) as Record<string, ToolSchema>;
  const order = {
    customerId: '018f0000-0000-7000-8000-000000000001',
    lineItems: [{ productId: 'bread', quantity: 1, unitPrice: '1.10' }],
    shippingAddress: { street: 'High Street 1', zipCode: '12345' },
  };
  const text = JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/');
  const cases = [{ schema: JSON.parse(text) as ToolSchema, values: [order, { ...order, color: 'red' }] }];
  const { accepted } = await askOracle({ definitions, cases });
  assert.equal(accepted, [[true, false]]);
});

test('a schema has no format that clients of agents do not know', () => {
  const formats = [...emitTools(withAgent).matchAll(/"format": "([^"]+)"/g)].map(([, format]) => format);
  assert.ok(formats.length > 0);
  assert.not(formats.includes('decimal'));
});

test('a sensitive field may be sent and is hidden in what agents read', () => {
  const { perspectives } = exampleWithReads();
  const read = perspectives.map((perspective) => ({
    ...perspective,
    query: perspective.query && {
      ...perspective.query,
      row: { kind: 'ref', name: 'Card' } as const,
      agent: {},
    },
  }));
  const all = { ...withAgent, perspectives: read };
  const hidden = partOf(partOf(toolOf('shop_addresses_get', all).outputSchema, '$defs'), 'Card');
  assert.equal(partOf(partOf(hidden, 'properties'), 'number'), { const: '[redacted]' });
  const sent = partOf(partOf(toolOf('create_order', all).inputSchema, '$defs'), 'Card');
  assert.equal(partOf(partOf(sent, 'properties'), 'number'), { type: 'string' });
});

test('a perspective is read with two tools, whose fields and rows are limited', () => {
  const { perspectives } = exampleWithReads();
  const agent = { name: 'addresses', fields: ['zipCode'], rows: 20 };
  const read = perspectives.map((perspective) => ({
    ...perspective,
    query: perspective.query && { ...perspective.query, agent },
  }));
  const { inputSchema, outputSchema, annotations } = toolOf('addresses_list', {
    ...model,
    perspectives: read,
  });
  const { filter, pageSize } = partOf(inputSchema, 'properties') as Record<string, ToolSchema>;
  assert.equal([Object.keys(partOf(filter ?? {}, 'properties')), pageSize?.['maximum']], [['zipCode'], 20]);
  const { rows } = partOf(partOf(partOf(outputSchema, 'properties'), 'result'), 'properties') as {
    rows: { items: { properties: object } };
  };
  assert.equal(Object.keys(rows.items.properties), ['zipCode']);
  assert.equal([annotations.readOnlyHint, annotations.destructiveHint], [true, false]);
});

const cardColumns = ['method', 'number', 'lastDigits'].map((name) => ({ name, type: 'text' as const }));

/** The tool of a list of cards. */
function listOfCards(agent: { readonly fields?: readonly string[] }) {
  const { perspectives } = exampleWithReads(cardColumns);
  const read = perspectives.map((perspective) => ({
    ...perspective,
    query: perspective.query && { ...perspective.query, row: { kind: 'ref', name: 'Card' } as const, agent },
  }));
  return toolOf('shop_addresses_list', { ...model, perspectives: read });
}

function columnsOfCards(agent: { readonly fields?: readonly string[] }): readonly string[] {
  const { filter = {} } = partOf(listOfCards(agent).inputSchema, 'properties') as Record<string, ToolSchema>;
  return Object.keys(partOf(filter, 'properties'));
}

test('what an answer hides can be neither a filter nor an order, nor can a column made of it unless it is named', () => {
  assert.equal(columnsOfCards({}), ['method']);
  assert.equal(columnsOfCards({ fields: ['method', 'number'] }), ['method']);
  assert.equal(columnsOfCards({ fields: ['number', 'lastDigits'] }), ['lastDigits']);
});

test('a list refuses a filter or an order by what is hidden, as one by a column that does not exist', () => {
  for (const name of ['number', 'lastDigits', 'none'])
    for (const args of [{ filter: { [name]: '4' } }, { sort: name }])
      assert.throws(
        () => listQueryIn(args, listOfCards({}), cardColumns),
        (error: unknown) => error instanceof Problem && error.code === 'invalid-query',
        name,
      );
  // The order is what a cursor holds.
  assert.equal(listQueryIn({ sort: 'method' }, listOfCards({}), cardColumns).sort, [
    { name: 'method', descending: false },
  ]);
});

test('a row that hides nothing is filtered by columns that are no field of it, too', () => {
  const { perspectives } = exampleWithReads();
  const read = perspectives.map((perspective) => ({
    ...perspective,
    query: perspective.query && { ...perspective.query, agent: {} },
  }));
  const { inputSchema } = toolOf('shop_addresses_list', { ...model, perspectives: read });
  const { filter = {} } = partOf(inputSchema, 'properties') as Record<string, ToolSchema>;
  assert.is(Object.keys(partOf(filter, 'properties')).length, 7);
});
