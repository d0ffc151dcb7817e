import * as assert from 'uvu/assert';
import { decodeStrictly, StrictFaults } from '../../../contracts/codec.js';
import type { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { wideModel } from './testing/wide-model.js';
import { codecsOf, decoded, order } from './testing/compiled-codecs.js';

const test = suite('compiled decoders');

const example = await codecsOf(exampleModel());

const wide = await codecsOf(wideModel());

const createOrder = example.decoder('CreateOrder');

const faultsOf = (more: object) => decoded(createOrder, { ...order(), ...more }).faults;

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
