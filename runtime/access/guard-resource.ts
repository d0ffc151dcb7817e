import type { GuardedResource } from '../../contracts/identity.js';
import type { MutationContext } from '../../contracts/mutation-context.js';
import type { Permission } from '../../contracts/permission.js';
import { RequestContext } from '../request/request-context.js';
import { AccessGuard } from './access-guard.js';

/**
 * Throws unless the caller of a command has the permission and the resource is in their scope:
 * `guard(work.context, Permission.write('orders'), { type: 'Order', id, scope: { customerId } })`.
 * Work of the service itself passes, and so does everything on a host that does not authenticate.
 *
 * @example
 * ```ts
 * guard(work.context, Permission.write('orders'),
 *   { type: 'Order', id: orderId, scope: { customerId } });
 * ```
 */
export function guard(context: MutationContext, permission: Permission, resource: GuardedResource): void {
  const { identity } = context;
  const caller = context instanceof RequestContext ? context.caller : undefined;
  // A copy of a context still names its caller; only the events are missing.
  const by = caller?.guard ?? (identity === undefined ? undefined : unrecorded);
  const refusal = by?.refusalOf(identity, permission, resource, undefined, context);
  if (refusal !== undefined) throw refusal;
}

const unrecorded = new AccessGuard({
  established: () => undefined,
  granted: () => undefined,
  denied: () => undefined,
});
