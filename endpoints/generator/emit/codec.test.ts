import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeStrictly, StrictFaults } from '../../../contracts/codec.js';
import type { Fault, Problem } from '../../../contracts/problems.js';
import { exampleModel } from '../testing/example-model.js';
import type { ServiceModel } from '../model/model.js';
import { emitCodecs } from './codec.js';
import { exampleOf } from './example-value.js';
import { loadCompiled } from './testing/compile.js';
import { declarationsOf } from './testing/declarations.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('codec');

type Decoder = (value: unknown, path: string, faults: Fault[]) => Record<string, unknown>;

/** The emitted codecs, compiled against declarations that match the model. */
async function codecsOf(model: ServiceModel) {
  const sources = declarationsOf(model).set('generated/codecs', emitCodecs(model));
  const codecs = await loadCompiled(sources, 'generated/codecs');
  return {
    names: Object.keys(codecs).sort(),
    decoder: (name: string) => codecs[`decode${name}`] as Decoder,
    encode: (name: string, value: unknown) => (codecs[`encode${name}`] as (value: unknown) => string)(value),
    redact: (name: string, value: unknown) => (codecs[`redact${name}`] as (value: unknown) => unknown)(value),
  };
}

const example = await codecsOf(exampleModel());
const wide = await codecsOf(wideModel());

function decoded(decode: Decoder, value: unknown) {
  const faults: Fault[] = [];
  const result = decode(value, '', faults);
  return faults.length === 0 ? { result } : { faults };
}

const createOrder = example.decoder('CreateOrder');
const order = () => ({
  customerId: 'ABCDEF00-0000-0000-0000-00000000000A',
  lineItems: [{ productId: 'tea', quantity: 2, unitPrice: 4.1 }],
  shippingAddress: { street: 'Main Street 1', zipCode: '12345' },
});
const faultsOf = (more: object) => decoded(createOrder, { ...order(), ...more }).faults;

test('there is a decoder for each body, an encoder for each result, a redactor for each message with secrets', () => {
  assert.equal(example.names, [
    'decodeCancelOrderRequest',
    'decodeCreateOrder',
    'encodeCreateOrderResult',
    'redactCreateOrder',
  ]);
});

test('the text is the same every time', () => {
  assert.is(emitCodecs(wideModel()), emitCodecs(wideModel()));
});

test('a service without commands has an empty module', () => {
  const empty = { ...exampleModel(), commands: [], events: [] };
  assert.match(emitCodecs(empty), /\nexport \{\};\n$/);
});

test('a body becomes a new instance of its class, and absent members keep their defaults', () => {
  const body = { ...order(), customerName: 'dropped' };
  const { result } = decoded(createOrder, body);
  assert.is(result?.constructor.name, 'CreateOrder');
  assert.equal(JSON.parse(JSON.stringify(result)), {
    customerId: 'abcdef00-0000-0000-0000-00000000000a',
    lineItems: [{ productId: 'tea', quantity: 2, unitPrice: '4.1' }],
    shippingAddress: { street: 'Main Street 1', zipCode: '12345' },
    priority: 'normal',
    gift: false,
  });
  assert.is.not(result?.['lineItems'], body.lineItems);
  assert.is.not(result?.['shippingAddress'], body.shippingAddress);
});

test('every fault is reported at its JSON Pointer', () => {
  const faults = faultsOf({
    customerId: 7,
    lineItems: [{ productId: '', quantity: 0, unitPrice: '1e3', parts: [{}] }],
    shippingAddress: { street: null },
    priority: 'slow',
    labels: { 'a/b~c': 1 },
    note: 5,
    extra: { deep: ['fine', 'a\0b'] },
  });
  assert.equal(faults, [
    { path: '/customerId', message: 'must be a UUID' },
    { path: '/lineItems/0/productId', message: 'must have at least 1 character' },
    { path: '/lineItems/0/quantity', message: 'must be at least 1' },
    {
      path: '/lineItems/0/unitPrice',
      message: 'must be a decimal number without an exponent, such as 12.50; found an exponent',
    },
    { path: '/lineItems/0/parts/0/productId', message: 'is required' },
    { path: '/lineItems/0/parts/0/quantity', message: 'is required' },
    { path: '/lineItems/0/parts/0/unitPrice', message: 'is required' },
    { path: '/shippingAddress/street', message: 'must be a string' },
    { path: '/shippingAddress/zipCode', message: 'is required' },
    { path: '/priority', message: 'must be one of normal, express' },
    { path: '/labels/a~1b~0c', message: 'must be a string' },
    { path: '/note', message: 'must be a string' },
    { path: '/extra/deep/1', message: 'must not contain U+0000 or an unpaired surrogate' },
  ]);
});

for (const body of [undefined, null, 'text', 7, [], true]) {
  test(`${JSON.stringify(body)} is not a command`, () => {
    assert.is(decoded(createOrder, body).faults?.length, 1);
  });
}

test('an unknown variant is a fault of its discriminator, an absent one is required', () => {
  const unknown = { path: '/payment/method', message: 'must be one of card, transfer' };
  assert.equal(faultsOf({ payment: { method: 'cash' } }), [unknown]);
  assert.equal(faultsOf({ payment: {} }), [{ path: '/payment/method', message: 'is required' }]);
  assert.equal(faultsOf({ payment: { method: 'card' } }), [
    { path: '/payment/number', message: 'is required' },
  ]);
});

test('null is a value where the type allows it, and nowhere else', () => {
  assert.is(faultsOf({ note: null, labels: { a: null } }), undefined);
  assert.equal(faultsOf({ weight: null }), [{ path: '/weight', message: 'must be a number' }]);
});

test('a key that reaches for the prototype is refused and never assigned', () => {
  const labels: unknown = JSON.parse('{"__proto__":{"admin":true}}');
  assert.equal(faultsOf({ labels, extra: { in: labels } }), [
    { path: '/labels/__proto__', message: 'must have another name' },
    { path: '/extra/in/__proto__', message: 'must have another name' },
  ]);
});

test('inherited members of every object do not count as properties', () => {
  const { decoder } = wide;
  const tree = { kind: 'oak', meta: 1 };
  const body = { tree, height: 1, rings: 1, price: null, odd: {} };
  assert.equal(decoded(decoder('PlantTree'), body).faults, [
    { path: '/odd/valueOf', message: 'is required' },
    { path: '/odd/toString', message: 'is required' },
  ]);
});

test('strictly, undeclared properties are faults at any depth', () => {
  const body = {
    ...order(),
    note: 'n',
    'a/b': 1,
    payment: { method: 'card', number: '1', pin: 2 },
    labels: { any: 'name' },
    lineItems: [
      {
        productId: 'tea',
        quantity: 1,
        unitPrice: '1',
        parts: [{ productId: 'leaf', quantity: 1, unitPrice: '1', x: 1 }],
      },
    ],
  };
  assert.is(decoded(createOrder, body).faults, undefined);
  try {
    decodeStrictly(createOrder, body);
    assert.unreachable();
  } catch (error) {
    assert.equal((error as Problem).errors, [
      { path: '/a~1b', message: 'is not known' },
      { path: '/lineItems/0/parts/0/x', message: 'is not known' },
      { path: '/payment/pin', message: 'is not known' },
    ]);
  }
});

test('strictly, null stands for an absent optional member, and for nothing else', () => {
  const parts = [{ productId: 'leaf', quantity: 1, unitPrice: '1', parts: null }];
  const left = { ...order(), weight: null, gift: null, note: null, lineItems: parts };
  const made = decodeStrictly(createOrder, left);
  assert.equal([made['weight'], made['gift'], made['note']], [undefined, false, null]);
  assert.throws(() => decodeStrictly(createOrder, { ...order(), customerId: null }));
  assert.throws(() => decodeStrictly(createOrder, { ...order(), lineItems: [null] }));
});

test('strictly, a body without unknown properties is decoded as usual', () => {
  const faults = new StrictFaults();
  assert.equal(createOrder(order(), '', faults), decoded(createOrder, order()).result);
  assert.is(faults.length, 0);
});

test('a result is encoded as JSON.stringify would encode its declared fields', () => {
  const result = { orderId: 'o-"1"\n', total: '59.70', priority: 'normal' };
  assert.is(
    example.encode('CreateOrderResult', { ...result, internal: 'never shown' }),
    JSON.stringify(result),
  );
});

const habitat = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, tie('park'), tie('forest')),
  park: fc.record({
    'is/a': fc.constantFrom('park', 'garden'),
    owner: fc.record({ id: fc.uuid() }),
    code: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
  }),
  forest: fc.record({
    'is/a': fc.constant('forest'),
    inside: fc.option(tie('any'), { nil: undefined, maxDepth: 3 }),
  }),
})).any;
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '\udc00\ud800', '"\\/\b\f\u2028\u007f'),
);
const anyNumber = fc.oneof(fc.double(), fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY));
const report = fc.record({
  first: maybe(anyText),
  second: maybe(fc.option(fc.integer())),
  price: fc.constantFrom('1.50', '-0'),
  kinds: fc.array(fc.constantFrom('oak', 'a"b\\c', '')),
  habitats: maybe(fc.dictionary(anyText, fc.option(habitat))),
  'it is': fc.array(fc.dictionary(anyText, fc.array(anyNumber))),
  meta: maybe(fc.jsonValue()),
  ok: maybe(fc.boolean()),
  summary: maybe(fc.record({ lines: fc.array(anyText) })),
});

test('the encoded text of any result equals that of JSON.stringify', () => {
  fc.assert(
    fc.property(report, (value) => wide.encode('Report', value) === JSON.stringify(value)),
    { numRuns: 2000 },
  );
});

test('a result may be a list or a number as well', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(report)),
      (value) => wide.encode('ListTreesResult', value) === JSON.stringify(value),
    ),
  );
  assert.is(wide.encode('CountTreesResult', 7), '7');
});

test('a result that violates its type is still JSON', () => {
  assert.is(
    example.encode('CreateOrderResult', { orderId: undefined, total: 7 }),
    '{"orderId":null,"total":7,"priority":null}',
  );
});

test('sensitive values are redacted at any depth, and nothing else', () => {
  const payment = { method: 'card', number: '4111' };
  const { note: _, ...redacted } = { ...order(), payment: { ...payment, number: '[redacted]' }, note: '' };
  assert.equal(example.redact('CreateOrder', { ...order(), payment, note: 'ring twice' }), {
    ...redacted,
    note: '[redacted]',
  });
  assert.equal(example.redact('CreateOrder', { ...order(), payment: { method: 'transfer', iban: 'DE' } }), {
    ...order(),
    payment: { method: 'transfer', iban: 'DE' },
  });
});

test('no secret passes a redactor, whatever its shape', () => {
  const canary = 'canary-4111';
  const tree: unknown = {
    kind: 'oak',
    meta: 1,
    secret: [canary],
    branches: { b: { kind: 'oak', secret: canary } },
  };
  const park = { 'is/a': 'garden', code: canary };
  for (const value of [
    { trees: [tree, { graft: tree }], habitat: { 'is/a': 'forest', inside: park } },
    { trees: canary, habitat: canary },
    { trees: [canary], habitat: { 'is/a': 'unheard of', code: canary } },
    { trees: { 0: tree }, habitat: [park] },
    canary,
  ]) {
    const text = JSON.stringify(wide.redact('TreePlanted', value));
    assert.not.match(text, canary);
    assert.match(text, '[redacted]');
  }
  assert.equal(wide.redact('TreePlanted', { trees: [], habitat: null }), { trees: [], habitat: null });
});

test('the example of a body is a valid body', () => {
  for (const [codecs, model] of [
    [example, exampleModel()],
    [wide, wideModel()],
  ] as const)
    for (const { name, request } of model.commands) {
      const body = request?.name ?? name;
      assert.is(
        decoded(codecs.decoder(body), exampleOf(model, { kind: 'ref', name: body })).faults,
        undefined,
      );
    }
});

test.run();
