import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { shownResult } from './agent-answer.js';
import type { ToolDocument, ToolSchema } from './tool-entry.js';

const test = suite('what agents see of a result');

const secret: ToolSchema = { const: '[redacted]' };
const documentWith = (result: ToolSchema, $defs: object = {}): ToolDocument => ({
  name: 'a',
  title: 'A',
  description: 'A.',
  inputSchema: {},
  outputSchema: { type: 'object', properties: { result }, $defs },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});
const customer = { type: 'object', properties: { id: { type: 'string' }, email: secret } };
const definitions = { Customer: customer };
const refTo = (name: string): ToolSchema => ({ $ref: `#/$defs/${name}` });
const ann = { id: '1', email: 'ann@example.org', password: 'x' };
const shownAnn = { id: '1', email: '[redacted]' };

test('a sensitive field is hidden, and a field that is not declared is left out', () => {
  assert.equal(shownResult(documentWith(refTo('Customer'), definitions), ann), shownAnn);
});

test('a sensitive null is hidden too, and an absent value stays absent', () => {
  const document = documentWith(refTo('Customer'), definitions);
  assert.equal(shownResult(document, { id: '1', email: null }), shownAnn);
  assert.equal(shownResult(document, { id: '1' }), { id: '1' });
  assert.is(shownResult(document, undefined), undefined);
});

test('lists, maps, nullable types and unions are hidden in each part', () => {
  const items = { type: 'array', items: refTo('Customer') };
  assert.equal(shownResult(documentWith(items, definitions), [ann]), [shownAnn]);
  const map = { type: 'object', additionalProperties: refTo('Customer') };
  assert.equal(shownResult(documentWith(map, definitions), { a: ann }), { a: shownAnn });
  const nullable = { anyOf: [refTo('Customer'), { type: 'null' }] };
  assert.equal(shownResult(documentWith(nullable, definitions), ann), shownAnn);
  assert.is(shownResult(documentWith(nullable, definitions), null), null);
  const union = {
    oneOf: [refTo('Customer')],
    discriminator: { propertyName: 'kind', mapping: { customer: '#/$defs/Customer' } },
  };
  const document = documentWith(union, definitions);
  assert.equal(shownResult(document, { ...ann, kind: 'customer' }), shownAnn);
  assert.is(shownResult(document, { ...ann, kind: 'toString' }), '[redacted]');
});

test('a value of another shape than declared is hidden: it might be the secret', () => {
  const document = documentWith(refTo('Customer'), definitions);
  assert.is(shownResult(document, 'ann@example.org'), '[redacted]');
  assert.is(shownResult(documentWith({ type: 'array', items: secret }), 'x'), '[redacted]');
});
