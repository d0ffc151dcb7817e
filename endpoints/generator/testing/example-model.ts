import type {
  CommandModel,
  NamedType,
  ObjectType,
  PropertyModel,
  QueryModel,
  ServiceModel,
  TypeModel,
} from '../model/service-model.js';

/** A small service as the generator sees it, for the tests of the emitters. */
export function exampleModel(): ServiceModel {
  const types = [
    address,
    createOrder,
    createOrderResult,
    cancelOrderRequest,
    cancelOrder,
    lineItem,
    payment,
    card,
    transfer,
    cardMethod,
    transferMethod,
    priority,
  ];
  return {
    commands: [cancelOrderCommand, createOrderCommand],
    receptors: [
      { name: 'CancelOrderReceptor', file: 'receptors', command: 'CancelOrder', parameters: [] },
      { name: 'CreateOrderReceptor', file: 'receptors', command: 'CreateOrder', parameters: ['mailer'] },
    ],
    events: [{ name: 'OrderCreated', file: 'events', version: 1, description: undefined }],
    perspectives: [],
    deciders: [],
    effects: [],
    reactions: [],
    processes: [],
    schedules: [],
    routes: [],
    webhooks: [],
    flags: ['gift-wrap'],
    types: new Map(types.map((type) => [type.name, type])),
    dependencies: [
      { name: 'mailer', type: 'Mailer', imports: [{ name: 'Mailer', from: { file: 'mailer' } }] },
    ],
  };
}

/** The example with a perspective of its addresses, and these columns. */
export function exampleWithReads(columns: QueryModel['columns'] = everyColumn): ServiceModel {
  const row = ref('Address');
  const query = { route: '/shop/addresses', row, columns, description: 'Where orders went.' };
  return {
    ...exampleModel(),
    perspectives: [{ name: 'AddressBook', file: 'address-book', parameters: [], query }],
  };
}

const everyColumn: QueryModel['columns'] = [
  { name: 'zipCode', type: 'text' },
  { name: 'owner', type: 'uuid' },
  { name: 'floors', type: 'integer' },
  { name: 'visits', type: 'bigint' },
  { name: 'spent', type: 'numeric' },
  { name: 'isActive', type: 'boolean' },
  { name: 'since', type: 'timestamptz' },
];

const property = (name: string, type: TypeModel, more: Partial<PropertyModel> = {}): PropertyModel => ({
  name,
  type,
  required: true,
  default: undefined,
  sensitive: false,
  description: undefined,
  ...more,
});

const text: TypeModel = { kind: 'text', limits: {} };
const ref = (name: string): TypeModel => ({ kind: 'ref', name });

const object = (
  name: string,
  properties: readonly PropertyModel[],
  file: string,
  isClass = false,
): NamedType => ({
  name,
  type: { kind: 'object', properties } satisfies ObjectType,
  description: undefined,
  declared: { name, file },
  isClass,
});

const address = object(
  'Address',
  [property('street', text), property('zipCode', { kind: 'text', limits: { pattern: '^[0-9]{5}$' } })],
  'create-order',
);

const lineItem = object(
  'LineItem',
  [
    property('productId', { kind: 'text', limits: { minLength: 1, maxLength: 40 } }),
    property('quantity', { kind: 'int', limits: { minimum: 1 } }),
    property('unitPrice', { kind: 'decimal', limits: { minimum: 0 } }),
    property('parts', { kind: 'array', item: ref('LineItem'), limits: { maxItems: 3 } }, { required: false }),
  ],
  'create-order',
);

const priority: NamedType = {
  name: 'Priority',
  type: { kind: 'enum', values: ['normal', 'express'] },
  description: 'How fast it must be.',
  declared: { name: 'Priority', file: 'create-order' },
  isClass: false,
};

const literal = (name: string, value: string): NamedType => ({
  name,
  type: { kind: 'enum', values: [value] },
  description: undefined,
  declared: undefined,
  isClass: false,
});
const cardMethod = literal('CardMethod', 'card');
const transferMethod = literal('TransferMethod', 'transfer');

const card = object(
  'Card',
  [property('method', ref('CardMethod')), property('number', text, { sensitive: true })],
  'create-order',
);
const transfer = object(
  'Transfer',
  [property('method', ref('TransferMethod')), property('iban', text)],
  'create-order',
);
const payment: NamedType = {
  name: 'Payment',
  type: {
    kind: 'union',
    discriminator: 'method',
    variants: [
      { value: 'card', name: 'Card' },
      { value: 'transfer', name: 'Transfer' },
    ],
  },
  description: undefined,
  declared: { name: 'Payment', file: 'create-order' },
  isClass: false,
};

const createOrder = object(
  'CreateOrder',
  [
    property('customerId', { kind: 'uuid' }),
    property('lineItems', { kind: 'array', item: ref('LineItem'), limits: { minItems: 1 } }),
    property('shippingAddress', ref('Address')),
    property('priority', ref('Priority'), { required: false, default: { value: 'normal' } }),
    property('payment', ref('Payment'), { required: false }),
    property('labels', { kind: 'map', value: { kind: 'nullable', inner: text } }, { required: false }),
    property(
      'note',
      { kind: 'nullable', inner: text },
      { required: false, sensitive: true, description: 'For the packer.' },
    ),
    property('weight', { kind: 'number', limits: { minimum: 0 } }, { required: false }),
    property('deliverAfter', { kind: 'timestamp' }, { required: false }),
    property('extra', { kind: 'json' }, { required: false }),
    property('gift', { kind: 'boolean' }, { required: false, default: { value: false } }),
    property('reference', { kind: 'long', limits: {} }, { required: false }),
  ],
  'create-order',
  true,
);

const createOrderResult = object(
  'CreateOrderResult',
  [
    property('orderId', { kind: 'uuid' }),
    property('total', { kind: 'decimal', limits: {} }),
    property('priority', ref('Priority')),
  ],
  'create-order',
);
const cancelOrderRequest = object(
  'CancelOrderRequest',
  [property('orderId', { kind: 'uuid' }), property('why', text, { required: false })],
  'cancel-order',
  true,
);
const cancelOrder = object(
  'CancelOrder',
  [property('orderId', { kind: 'uuid' }), property('reason', text)],
  'cancel-order',
  true,
);

const cancelOrderCommand: CommandModel = {
  name: 'CancelOrder',
  file: 'cancel-order',
  restRoute: '/orders/cancel',
  graphQLMutation: 'cancelOrder',
  request: { name: 'CancelOrderRequest', file: 'cancel-order' },
  result: null,
  resultName: 'CancelOrderResult',
  description: undefined,
  endpoint: {
    name: 'CancelOrderEndpoint',
    file: 'cancel-order.endpoint',
    parameters: ['dispatcher', 'mailer'],
  },
};

const createOrderCommand: CommandModel = {
  name: 'CreateOrder',
  file: 'create-order',
  restRoute: '/orders',
  graphQLMutation: 'createOrder',
  request: null,
  result: { kind: 'ref', name: 'CreateOrderResult' },
  resultName: 'CreateOrderResult',
  description: 'Places an order.',
  endpoint: null,
};
