import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { CodecScope } from './codec-scope.js';
import { encoderOf, resultEncoder } from './encoder.js';
import { namedType } from '../model/reachable-types.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('encoder');

const scopeOf = (model = exampleModel()) => new CodecScope(model, new Set());
const textOf = (name: string, model = exampleModel()) =>
  encoderOf(scopeOf(model), namedType(model, name), true).join('\n');

test('an object is the concatenation of its members', () => {
  assert.is(
    textOf('CreateOrderResult'),
    [
      'export function encodeCreateOrderResult(value: CreateOrderResult): string {',
      `  return '{"orderId":' + encodeText(value.orderId) +`,
      `    ',"total":' + encodeText(value.total) +`,
      `    ',"priority":' + encodeText(value.priority) +`,
      "    '}';",
      '}',
    ].join('\n'),
  );
});

test('an optional member brings its own comma', () => {
  assert.match(
    textOf('Report', wideModel()),
    `(value.ok === undefined ? '' : ',"ok":' + encodeBoolean(value.ok))`,
  );
  assert.match(textOf('Report', wideModel()), "return '{' + members.slice(1) + '}';");
});

test('an enum needs an encoder only when it is a result itself', () => {
  assert.match(textOf('Priority'), 'return encodeText(value);');
  assert.equal(encoderOf(scopeOf(), namedType(exampleModel(), 'Priority'), false), []);
});

test('an empty object ignores its value', () => {
  assert.match(textOf('Nothing', wideModel()), 'encodeNothing(_value: Nothing)');
});

test('an unnamed result is encoded under the name of its command', () => {
  const lines = resultEncoder(scopeOf(), 'ListResult', { kind: 'array', item: { kind: 'uuid' }, limits: {} });
  assert.equal(lines, [
    'export function encodeListResult(value: ReadonlyArray<string>): string {',
    '  return encodeArray(value, encodeText);',
    '}',
  ]);
});
