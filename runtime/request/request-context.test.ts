import * as assert from 'uvu/assert';
import { isUuid } from '../../contracts/scalars.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../lang/cancellation.js';
import { type ContextInit, flatScope, RequestContext } from './request-context.js';

const test = suite('request context');

test('a context has its own id, which is also its correlation id unless one is given', () => {
  const context = contextOf({});
  assert.ok(isUuid(context.messageId));
  assert.is(context.correlationId, context.messageId);
  assert.is(contextOf({ correlationId: 'checkout-7' }).correlationId, 'checkout-7');
  assert.is.not(contextOf({}).messageId, context.messageId);
});

test('items and metadata are the same on every access', () => {
  const context = contextOf({});
  context.items.set('seen', true);
  context.metadata['receptorName'] = 'CreateOrderReceptor';
  assert.is(context.items.get('seen'), true);
  assert.is(context.metadata['receptorName'], 'CreateOrderReceptor');
  assert.is(contextOf({}).items.size, 0);
});

test('the cancellation token is the signal of its cancellation', () => {
  const context = contextOf({});
  assert.not(context.cancellationToken.aborted);
  context.cancellation.abort('gone');
  assert.ok(context.cancellationToken.aborted);
  assert.is(context.cancellationToken, context.cancellation.signal);
});

test('a nested command has this one as its cause, and the same correlation id', () => {
  const outer = contextOf({ correlationId: 'checkout-7', traceparent: 'trace', scope: acme });
  const nested = outer.nested(undefined);
  assert.is(nested.causationId, outer.messageId);
  assert.is(nested.correlationId, 'checkout-7');
  assert.is(nested.traceparent, 'trace');
  assert.is(nested.scope, acme);
  assert.is(nested.transport, 'local');
  assert.is.not(nested.messageId, outer.messageId);
});

test('a nested command shares neither the items nor the Idempotency-Key', () => {
  const idempotency = { key: Buffer.of(1), fingerprint: Buffer.of(1), encode: () => null };
  const outer = contextOf({ idempotency });
  outer.items.set('seen', true);
  const nested = outer.nested(undefined);
  assert.is(nested.idempotency, undefined);
  assert.is(nested.items.size, 0);
});

test('a nested command is cancelled with the outer one, or with the signal it is given', () => {
  const outer = contextOf({});
  const [following, own] = [outer.nested(undefined), outer.nested(new AbortController().signal)];
  outer.cancellation.abort('gone');
  assert.is(following.cancellation.reason, 'gone');
  assert.not(own.cancellation.aborted);
});

test('a scope is flat text, with lists joined by commas', () => {
  assert.equal(flatScope({ ...acme, extensions: { region: 'north' } }), {
    tenantId: 'acme',
    userId: 'ann',
    allowedPrincipals: 'ann,bob',
    region: 'north',
  });
});

test('an empty list is left out', () => {
  assert.equal(flatScope({ tenantId: 'acme', allowedPrincipals: [], extensions: {} }), { tenantId: 'acme' });
});

test('a scope from outside may hold values other than text; absent ones are left out', () => {
  const odd = { tenantId: undefined, userId: null, age: 7, roles: ['a', 'b'] } as never;
  assert.equal(flatScope(odd), { userId: null, age: '7', roles: 'a,b' });
});

test('an extension never replaces the tenant or the user', () => {
  assert.is(flatScope({ ...acme, extensions: { tenantId: 'evil' } })?.['tenantId'], 'acme');
});

test('flags are asked for the scope of the caller, also by the commands that it invokes', () => {
  const flagSource = {
    isOn: (name: string, { tenantId }: { tenantId?: string | undefined }) => tenantId === name,
  };
  const context = contextOf({ scope: acme, flagSource });
  assert.equal([context.flags.isOn('acme'), context.flags.isOn('hall')], [true, false]);
  assert.is(context.nested(undefined).flags.isOn('acme'), true);
});

test('without a host every flag is off', () => {
  assert.is(contextOf({ scope: acme }).flags.isOn('acme'), false);
});

test('a context without a scope adds none to its events', () => {
  assert.is(flatScope(contextOf({}).scope), undefined);
});

const acme: PerspectiveScope = {
  tenantId: 'acme',
  userId: 'ann',
  allowedPrincipals: ['ann', 'bob'],
  extensions: {},
};

const contextOf = (init: Partial<ContextInit>): RequestContext =>
  new RequestContext({ transport: 'rest', cancellation: new Cancellation(), ...init });
