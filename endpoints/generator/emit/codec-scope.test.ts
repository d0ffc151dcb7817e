import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { CodecScope } from './codec-scope.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('codec-scope');

const scopeOf = (model = exampleModel()) => new CodecScope(model, new Set(['Owner']));

test('only what is used is imported: classes as values, everything else as types', () => {
  const scope = scopeOf();
  scope.classOf('CancelOrderRequest');
  scope.typeName('CancelOrderRequest');
  scope.typeName('Address');
  scope.helper('uuid');
  assert.equal(scope.top(), [
    "import { CancelOrderRequest } from '../cancel-order.js';",
    "import type { Address } from '../create-order.js';",
    "import { codec } from 'svc-runtime/contracts';",
    '',
    'const { uuid } = codec;',
  ]);
});

test('equal constants are shared', () => {
  const scope = scopeOf();
  assert.is(scope.constant('limits', '{ minimum: 1 }'), 'limits1');
  assert.is(scope.constant('limits', '{ minimum: 1 }'), 'limits1');
  assert.is(scope.constant('values', "['a']"), 'values2');
});

test('a second declaration of the same name gets an alias', () => {
  const scope = scopeOf(wideModel());
  scope.typeName('Page2');
  assert.match(scope.top().join('\n'), "import type { Page as Page2 } from '../trees/types.js';");
});

test('a type that cannot be imported is written out; lists that are only read are readonly', () => {
  const scope = scopeOf(wideModel());
  scope.typeName('Owner');
  scope.typeName('Summary');
  assert.equal(scope.top().slice(2), [
    'export interface Owner {',
    '  id: string;',
    '}',
    '',
    'export interface Summary {',
    '  lines: ReadonlyArray<string>;',
    '}',
  ]);
});

test('a class that is not exported cannot be constructed', () => {
  assert.throws(() => scopeOf(wideModel()).classOf('Owner'), /Owner must be exported/);
});
