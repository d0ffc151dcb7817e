import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exampleModel } from '../testing/example-model.js';
import { CodecScope } from './codec-scope.js';
import { encoderOf, resultEncoder } from './encoder.js';
import { namedType } from '../model/reachable-types.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('encoder');

const scopeOf = (model = exampleModel()) => new CodecScope(model, new Set());
const textOf = (name: string, model = exampleModel()) =>
  encoderOf(scopeOf(model), namedType(model, name), true).join('\n');

test('an object is a sum of its members', () => {
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

test('what is optional brings its own comma', () => {
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

test('an empty object takes a value and does not look at it', () => {
  assert.match(textOf('Nothing', wideModel()), 'encodeNothing(_value: Nothing)');
});

test('a result without a name is encoded by the name of its command', () => {
  const lines = resultEncoder(scopeOf(), 'ListResult', { kind: 'array', item: { kind: 'uuid' }, limits: {} });
  assert.equal(lines, [
    'export function encodeListResult(value: ReadonlyArray<string>): string {',
    '  return encodeArray(value, encodeText);',
    '}',
  ]);
});

test.run();
