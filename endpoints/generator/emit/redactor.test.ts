import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { redactedTypes, sensitiveTypes } from './redactor.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('redact');

test('a type is sensitive when anything inside it is', () => {
  assert.equal([...sensitiveTypes(exampleModel())].sort(), ['Card', 'CreateOrder', 'Payment']);
  assert.ok(sensitiveTypes(wideModel()).has('Forest'), 'through a union that is recursive');
  assert.not.ok(sensitiveTypes(wideModel()).has('Owner'));
});

test('redactors are for commands and events', () => {
  assert.equal(redactedTypes(exampleModel()), ['CreateOrder']);
  assert.equal(redactedTypes(wideModel()), ['ListTrees', 'PlantTree', 'TreePlanted']);
});
