import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { flatScope } from './request-context.js';
import { scopeOfEnvelope } from './scope-of-envelope.js';

const test = suite('scope of an envelope');

test('a scope is read as it was flattened', () => {
  const scope = {
    tenantId: 'acme',
    userId: 'ann',
    allowedPrincipals: ['a', 'b'],
    extensions: { region: 'eu' },
  };
  assert.equal(scopeOfEnvelope(flatScope(scope)), scope);
});

test('a message without a scope has none', () => {
  assert.is(scopeOfEnvelope(undefined), undefined);
});

test('what is null is left out', () => {
  assert.equal(scopeOfEnvelope({ tenantId: null }), { allowedPrincipals: [], extensions: {} });
});
