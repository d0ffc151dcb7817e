import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { property } from '../model/properties.js';
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

test('a format is checked, and stays the literal that its type requires', () => {
  const scope = new CodecScope(model, new Set());
  const properties = [property('x', { kind: 'text', limits: { format: 'email' } })];
  const type = { ...namedType(model, 'Address'), type: { kind: 'object' as const, properties } };
  const lines = decoderOf(scope, type, true);
  assert.match(scope.top().join('\n'), /= \{ format: 'email' \} as const;/);
  assert.match(lines.join('\n'), /x: text\(from\['x'\], `\$\{path\}\/x`, faults, limits\w*\),/);
});
