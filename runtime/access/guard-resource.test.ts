import * as assert from 'uvu/assert';
import { type IdentityInit, identityFrom } from '../../contracts/identity.js';
import type { MutationContext } from '../../contracts/mutation-context.js';
import type { Problem } from '../../contracts/problems.js';
import { Permission } from '../../contracts/permission.js';
import { ScopeFilters } from '../../contracts/perspective-scope.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../lang/cancellation.js';
import { type Caller, RequestContext } from '../request/request-context.js';
import { AccessGuard } from './access-guard.js';
import { guard } from './guard-resource.js';

const test = suite('guard of a receptor');

const write = Permission.write('orders');
const ann: IdentityInit = {
  source: 'test',
  scope: { tenantId: 'acme', customerId: '7' },
  permissions: ['orders:write'],
};

function calledBy(init: IdentityInit | undefined) {
  const events: string[] = [];
  const accessGuard = new AccessGuard({
    established: () => undefined,
    granted: (_, permission, { type, id }, filter) =>
      void events.push(`granted ${permission.value} ${type} ${id} ${filter}`),
    denied: (_, permission, { type, id }, reason) =>
      void events.push(`denied ${permission.value} ${type} ${id} ${reason}`),
  });
  const identity = init === undefined ? undefined : identityFrom(init);
  return { context: contextOf({ identity, headers: {}, guard: accessGuard }), events };
}

const contextOf = (caller?: Caller) =>
  new RequestContext({ transport: 'rest', cancellation: Cancellation.of(undefined), caller });

const statusOf = (act: () => void): number => {
  try {
    act();
    return 200;
  } catch (error) {
    return (error as Problem).status;
  }
};

const order = (scope: { readonly customerId?: string }) => ({ type: 'Order', id: '1', scope });

test('a caller with the permission reaches resources in their scope', () => {
  const { context, events } = calledBy(ann);
  guard(context, write, { type: 'Order' });
  guard(context, write, order({ customerId: '7' }));
  const { None, Customer } = ScopeFilters;
  assert.equal(events, [
    `granted orders:write Order undefined ${None}`,
    `granted orders:write Order 1 ${Customer}`,
  ]);
});

test('a resource outside of the scope and a missing permission are refused alike', () => {
  const { context, events } = calledBy(ann);
  const remove = Permission.delete('orders');
  assert.is(
    statusOf(() => guard(context, write, order({ customerId: '8' }))),
    403,
  );
  assert.is(
    statusOf(() => guard(context, remove, order({ customerId: '7' }))),
    403,
  );
  assert.equal(events, [
    'denied orders:write Order 1 ScopeViolation',
    'denied orders:delete Order 1 InsufficientPermission',
  ]);
});

test('a caller of a public command without credentials is refused', () => {
  const { context, events } = calledBy(undefined);
  assert.is(
    statusOf(() => guard(context, write, order({}))),
    401,
  );
  assert.equal(events, ['denied orders:write Order 1 NotAuthenticated']);
});

test('the service itself passes, and so does everybody on a host that does not authenticate', () => {
  guard(contextOf(), write, order({ customerId: '8' }));
  guard(contextOf({ headers: {} }), write, order({ customerId: '8' }));
});

test('a copy of a context is checked too', () => {
  const { context } = calledBy(ann);
  const { identity, headers, flags, scope, cancellationToken, messageId, correlationId } = context;
  const named = { identity, headers, flags, scope, cancellationToken, messageId, correlationId };
  const copy: MutationContext = { ...named, transport: 'local', items: new Map(), metadata: {} };
  assert.is(
    statusOf(() => guard(copy, write, order({ customerId: '8' }))),
    403,
  );
  guard(copy, write, order({ customerId: '7' }));
});
