import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exampleModel } from '../testing/example-model.js';
import { bodyNames, namedType, namesIn, reach, reachedByResults } from './reach.js';
import { wideModel } from '../emit/testing/wide-model.js';

const test = suite('reach');

test('the body of a command is its request, or itself', () => {
  assert.equal(bodyNames(exampleModel()), ['CancelOrderRequest', 'CreateOrder']);
});

test('a type reaches what it is made of, also through lists, maps, unions and itself', () => {
  assert.equal(reach(exampleModel(), ['LineItem']), ['LineItem']);
  assert.equal(reach(exampleModel(), ['Payment']), [
    'Card',
    'CardMethod',
    'Payment',
    'Transfer',
    'TransferMethod',
  ]);
  assert.equal(reach(wideModel(), ['Tree']), ['Kind', 'Page2', 'Tree']);
});

test('results are reached through whatever wraps them', () => {
  assert.equal(reachedByResults(exampleModel()), ['CreateOrderResult', 'Priority']);
  assert.ok(reachedByResults(wideModel()).includes('Summary'));
  assert.equal(namesIn({ kind: 'map', value: { kind: 'nullable', inner: { kind: 'ref', name: 'Tree' } } }), [
    'Tree',
  ]);
});

test('a type that is not in the model is named', () => {
  assert.throws(() => namedType(exampleModel(), 'Unicorn'), /knows no type 'Unicorn'/);
});

test.run();
