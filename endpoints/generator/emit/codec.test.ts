import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { emitCodecs } from './codec.js';
import { exampleOf } from './example-value.js';
import { wideModel } from './testing/wide-model.js';
import { codecsOf, decoded, order } from './testing/compiled-codecs.js';

const test = suite('codec');

const example = await codecsOf(exampleModel());

const wide = await codecsOf(wideModel());

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
