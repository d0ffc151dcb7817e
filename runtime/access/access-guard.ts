import {
  type AccessOrigin,
  type Guard,
  type GuardedResource,
  type Identity,
  isPermitted,
  type RequiredPermission,
} from '../../contracts/identity.js';
import { filtersOf, isInScope } from '../../contracts/resource-scope.js';
import { Problem } from '../../contracts/problems.js';
import { AccessDenialReason } from '../../contracts/events/access.js';
import { Permission } from '../../contracts/permission.js';
import { ScopeFilters } from '../../contracts/perspective-scope.js';

/** Receives what guards decided; it never fails and never waits. */
export interface SecurityEvents {
  /** A caller has proved who they are. */
  established(identity: Identity, origin?: AccessOrigin): void;
  granted(
    identity: Identity,
    permission: Permission,
    resource: GuardedResource,
    filter: ScopeFilters,
    origin?: AccessOrigin,
  ): void;
  /** Without an identity: the caller sent no valid credentials. */
  denied(
    identity: Identity | undefined,
    permission: Permission,
    resource: GuardedResource,
    reason: AccessDenialReason,
    origin?: AccessOrigin,
  ): void;
}

/** What events name as required where any identity, or none, is enough. */
const anyIdentity = Permission.of('svc', 'authenticated');

/** Decides who may do what, for every transport alike. */
export class AccessGuard implements Guard {
  constructor(private readonly events: SecurityEvents) {}

  /** Why a caller is refused; what is answered reveals nothing of what was required. */
  refusalOf(
    identity: Identity | undefined,
    required: RequiredPermission,
    resource: GuardedResource,
    filter: ScopeFilters = ScopeFilters.None,
    origin?: AccessOrigin,
  ): Problem | undefined {
    if (required === 'public' || (required === 'authenticated' && identity !== undefined)) return undefined;
    if (required === 'authenticated') return unauthenticated();
    if (identity === undefined || !isPermitted(identity, required)) {
      const reason = identity === undefined ? NotAuthenticated : InsufficientPermission;
      this.events.denied(identity, required, resource, reason, origin);
      return identity === undefined ? unauthenticated() : accessDenied();
    }
    const { scope } = resource;
    if (scope !== undefined && !isInScope(scope, identity.scope)) {
      this.events.denied(identity, required, resource, ScopeViolation, origin);
      return accessDenied();
    }
    const filters = scope === undefined ? filter : filter | filtersOf(scope);
    this.events.granted(identity, required, resource, filters, origin);
    return undefined;
  }

  /** A caller sent wrong credentials, which are refused wherever they are sent. */
  unidentified(required: RequiredPermission, resource: GuardedResource, origin?: AccessOrigin): void {
    const permission = typeof required === 'string' ? anyIdentity : required;
    this.events.denied(undefined, permission, resource, NotAuthenticated, origin);
  }

  /** A rule of the application refuses what the permission would allow. */
  rejected(
    identity: Identity | undefined,
    required: RequiredPermission,
    resource: GuardedResource,
    origin?: AccessOrigin,
  ): void {
    if (typeof required !== 'string')
      this.events.denied(identity, required, resource, PolicyRejected, origin);
  }
}

const { InsufficientPermission, NotAuthenticated, PolicyRejected, ScopeViolation } = AccessDenialReason;

/** Not the causes of all problems: those of an authenticator of the service may contain credentials. */
const reasons = new WeakMap<Problem, string>();

/** The same for every caller; only the log has the reason. */
export function unauthenticated(reason?: string): Problem {
  const problem = new Problem('unauthenticated', {
    detail: 'Send valid credentials.',
    headers: { 'www-authenticate': 'Bearer' },
    cause: reason,
  });
  if (reason !== undefined) reasons.set(problem, reason);
  return problem;
}

/** Why the runtime itself refused credentials; it contains nothing that was sent. */
export const refusalReasonOf = (error: unknown): string | undefined =>
  error instanceof Problem ? reasons.get(error) : undefined;

const accessDenied = (): Problem =>
  new Problem('access-denied', { detail: 'You lack the permission that this requires.' });
