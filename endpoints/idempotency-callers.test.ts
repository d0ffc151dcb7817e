import * as assert from 'uvu/assert';
import { type Identity, identityFrom } from '../contracts/identity.js';
import { suite } from '../contracts/testing/suite.js';
import type { Authentication } from './access/authentication.js';
import { withBakery } from './testing/bakery.js';
import { keyed, post } from './testing/http-client.js';
import { knownCallers } from './testing/known-callers.js';

const test = suite('callers of idempotent requests');

test('the same key of another caller is a different key', () => {
  const callers: Readonly<Record<string, Identity['scope']>> = {
    ada: { tenantId: 'north', userId: 'ada', allowedPrincipals: [], extensions: {} },
    bob: { tenantId: 'north', userId: 'bob', allowedPrincipals: [], extensions: {} },
    till: { tenantId: 'north', allowedPrincipals: [], extensions: { apiKey: 'svc_00000001' } },
    shop: { tenantId: 'north', allowedPrincipals: [], extensions: { apiKey: 'svc_00000002' } },
    south: { tenantId: 'south', userId: 'ada', allowedPrincipals: [], extensions: {} },
  };
  const authentication: Authentication = {
    guard: knownCallers().guard,
    identify: ({ headers: { authorization = '' } }) =>
      identityFrom({ source: 'test', scope: callers[authorization] }),
  };
  return withBakery({ http: { authentication } }, async ({ url }) => {
    for (const expected of [undefined, 'true'])
      for (const authorization of Object.keys(callers)) {
        const headers = { ...keyed('k1').headers, authorization };
        const answer = await post(url, { who: 'Ada' }, { path: '/bun', headers });
        assert.equal([answer.status, answer.headers['idempotency-replayed']], [200, expected], authorization);
      }
  });
});
