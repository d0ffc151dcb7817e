import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { bodyNames, namedType, namesIn, reachableTypes, resultTypes } from './reachable-types.js';
import { wideModel } from '../emit/testing/wide-model.js';

const test = suite('reachable types');

test('the body of a command is its request, or the command itself', () => {
  assert.equal(bodyNames(exampleModel()), ['CancelOrderRequest', 'CreateOrder']);
});

test('a type reaches its parts, also through lists, maps, unions and itself', () => {
  assert.equal(reachableTypes(exampleModel(), ['LineItem']), ['LineItem']);
  assert.equal(reachableTypes(exampleModel(), ['Payment']), [
    'Card',
    'CardMethod',
    'Payment',
    'Transfer',
    'TransferMethod',
  ]);
  assert.equal(reachableTypes(wideModel(), ['Tree']), ['Kind', 'Page2', 'Tree']);
});

test('results are reached through any wrapper', () => {
  assert.equal(resultTypes(exampleModel()), ['CreateOrderResult', 'Priority']);
  assert.ok(resultTypes(wideModel()).includes('Summary'));
  assert.equal(namesIn({ kind: 'map', value: { kind: 'nullable', inner: { kind: 'ref', name: 'Tree' } } }), [
    'Tree',
  ]);
});

test('a type that is not in the model is named', () => {
  assert.throws(() => namedType(exampleModel(), 'Unicorn'), /does not know the type 'Unicorn'/);
});
