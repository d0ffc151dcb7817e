import type { FastifyRequest } from 'fastify';
import * as assert from 'uvu/assert';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import { suite } from '../../contracts/testing/suite.js';
import { callersOf } from './caller.js';

const test = suite('the sender of a request');

const callerOf = callersOf(undefined);

function senderOf(
  scope: Partial<PerspectiveScope>,
  source = 'jwt:login.example',
  remoteAddress = '192.0.2.1',
): string | undefined {
  const identity = { source, scope: { allowedPrincipals: [], extensions: {}, ...scope } };
  return callerOf({ identity, headers: {}, socket: { remoteAddress } } as unknown as FastifyRequest).sender;
}

test('no two callers are one sender, however long their names are and whatever these contain', () => {
  const long = 'a-tenant-with-a-name-that-fills-the-text'.repeat(5);
  const senders = [
    senderOf({ tenantId: 'a b', userId: 'c' }),
    senderOf({ tenantId: 'a', userId: 'b c' }),
    senderOf({ tenantId: 'a', customerId: 'b c' }),
    senderOf({ tenantId: 'a', organizationId: 'b c' }),
    senderOf({ tenantId: long, userId: 'ada' }),
    senderOf({ tenantId: long, userId: 'eve' }),
    senderOf({ tenantId: 'a' }, 'api-key:svc_1a2b3c4d'),
  ];
  assert.is(new Set(senders).size, senders.length);
});

test('a sender is short, and the same for every request of a caller', () => {
  const scope = { tenantId: 'x'.repeat(500), userId: 'ada' };
  assert.is(senderOf(scope)?.length, 80);
  assert.is(senderOf(scope), senderOf(scope));
});

test('tokens without a user may be those of many callers: each address is a sender of its own', () => {
  const from = (address: string, scope: Partial<PerspectiveScope>, source?: string) =>
    senderOf({ tenantId: 'a', ...scope }, source, address);
  assert.is.not(from('192.0.2.1', {}), from('192.0.2.2', {}));
  assert.is(from('192.0.2.1', {}), from('192.0.2.1', {}));
  assert.is(from('192.0.2.1', { userId: 'ada' }), from('192.0.2.2', { userId: 'ada' }));
  const key = 'api-key:svc_1a2b3c4d';
  assert.is(from('192.0.2.1', {}, key), from('192.0.2.2', {}, key));
});
