import { type PerspectiveScope, ScopeFilters } from './perspective-scope.js';

/**
 * Whose a resource is. Each member that is set must match the caller's scope; one of `allowedPrincipals` must be among
 * theirs.
 */
export interface ResourceScope {
  readonly tenantId?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly userId?: string | undefined;
  readonly allowedPrincipals?: readonly string[] | undefined;
}

/** The member of a scope that each flag selects. */
export const scopeMembers = [
  [ScopeFilters.Tenant, 'tenantId'],
  [ScopeFilters.Organization, 'organizationId'],
  [ScopeFilters.Customer, 'customerId'],
  [ScopeFilters.User, 'userId'],
] as const;

/** The flags of the members by which a resource limits its callers. */
export function filtersOf(resource: ResourceScope): ScopeFilters {
  const { None, Principal } = ScopeFilters;
  return scopeMembers.reduce<number>(
    (flags, [flag, member]) => flags | (resource[member] === undefined ? None : flag),
    principalsOf(resource).length === 0 ? None : Principal,
  );
}

export const isInScope = (resource: ResourceScope, caller: PerspectiveScope): boolean =>
  scopeMembers.every(([, member]) => resource[member] === undefined || resource[member] === caller[member]) &&
  (principalsOf(resource).length === 0 ||
    principalsOf(resource).some((principal) => caller.allowedPrincipals.includes(principal)));

const principalsOf = ({ allowedPrincipals = [] }: ResourceScope): readonly string[] => allowedPrincipals;
