import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import type { NamedType, TypeModel } from '../model/service-model.js';
import { CodecScope } from './codec-scope.js';
import { decoderOf } from './decoder.js';
import { namedType } from '../model/reachable-types.js';

const test = suite('decoder');

const model = exampleModel();
const textOf = (name: string) =>
  decoderOf(new CodecScope(model, new Set()), namedType(model, name), true).join('\n');

test('a class is constructed and filled; an optional member is assigned only when present', () => {
  assert.is(
    textOf('CancelOrderRequest'),
    [
      'export function decodeCancelOrderRequest(value: unknown, path: string, faults: codec.Fault[]): CancelOrderRequest {',
      '  const from = object(value, path, faults, names1);',
      '  if (from === undefined) return invalid;',
      '  const made = new CancelOrderRequest();',
      '  const to: codec.Writable<CancelOrderRequest> = made;',
      "  to.orderId = uuid(from['orderId'], `${path}/orderId`, faults);",
      "  if (isGiven(from['why'], faults)) to.why = text(from['why'], `${path}/why`, faults);",
      '  return made;',
      '}',
    ].join('\n'),
  );
});

test('any other type is a literal', () => {
  assert.match(textOf('Address'), "const to: codec.Writable<Address> = {\n    street: text(from['street']");
});

test('a union is decoded by its discriminator', () => {
  assert.match(textOf('Payment'), "    case 'card':\n      return decodeCard(value, path, faults);");
});

function withText(limits: Extract<TypeModel, { kind: 'text' }>['limits']): NamedType {
  const type: TypeModel = { kind: 'text', limits };
  const property = {
    name: 'x',
    type,
    required: true,
    default: undefined,
    sensitive: false,
    description: undefined,
  };
  return { ...namedType(model, 'Address'), type: { kind: 'object', properties: [property] } };
}

test('an invalid regular expression is refused', () => {
  assert.throws(
    () => decoderOf(new CodecScope(model, new Set()), withText({ pattern: '[' }), true),
    /The pattern \[ is not a regular expression/,
  );
});

test('a format is checked, and stays the literal that its type requires', () => {
  const scope = new CodecScope(model, new Set());
  const lines = decoderOf(scope, withText({ format: 'email' }), true);
  assert.match(scope.top().join('\n'), /= \{ format: 'email' \} as const;/);
  assert.match(lines.join('\n'), /x: text\(from\['x'\], `\$\{path\}\/x`, faults, limits\w*\),/);
});
