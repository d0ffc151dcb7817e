import * as assert from 'uvu/assert';
import type { Authenticate } from '../../contracts/identity.js';
import { suite } from '../../contracts/testing/suite.js';
import { readConfig } from '../config/config.js';
import { authenticatorsOf } from './authenticators.js';

const test = suite('authenticators of a host');

type Parts = Parameters<typeof authenticatorsOf>[0];

async function authenticatorOf(authenticate: Authenticate): Promise<Authenticate> {
  const definition = { name: 'shop', create: () => ({ endpoints: [], receptors: [] }), authenticate };
  const [found] = await authenticatorsOf(
    { definition } as unknown as Parts,
    readConfig({ SVC_DEADLINE_MS: '1' }),
  );
  assert.ok(found);
  return found;
}

const request = { method: 'POST', url: '/sell', headers: {}, remoteAddress: '192.0.2.1' };

test('an authenticator that never answers is waited for until the deadline', async () => {
  const authenticate = await authenticatorOf(() => new Promise(() => undefined));
  const failure: unknown = await Promise.resolve(authenticate(request)).catch((error: unknown) => error);
  const { code, status } = failure as { readonly code?: string; readonly status?: number };
  assert.equal([code, status], ['keys-unavailable', 503]);
});

test('one that answers at once needs no promise', async () => {
  const authenticate = await authenticatorOf(() => ({ source: 'session' }));
  assert.equal(authenticate(request), { source: 'session' });
});
