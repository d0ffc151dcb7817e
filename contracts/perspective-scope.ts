import type { Flavoured } from './scalars.js';

/**
 * Whose data is selected.
 *
 * @example
 * ```ts
 * authorize = ({ team }: Ticket, { userId }: PerspectiveScope): boolean =>
 *   membersOf(team).has(userId);
 * ```
 */
export interface PerspectiveScope {
  readonly tenantId?: string;
  readonly customerId?: string;
  readonly userId?: string;
  readonly organizationId?: string;
  readonly allowedPrincipals: readonly string[];
  readonly extensions: Readonly<Record<string, string>>;
}

/** The tenant that events name for a right without a tenant; no tenant has this name. */
export const serviceWide = '*';

/**
 * Flags that combine with `|`.
 *
 * @example
 * ```ts
 * readonly filters = ScopeFilters.User | ScopeFilters.Customer;
 * readonly columns = { userId: 'text', customerId: 'uuid' } as const;
 * ```
 */
export const ScopeFilters = Object.freeze({
  None: 0,
  Tenant: 1,
  Organization: 2,
  Customer: 4,
  User: 8,
  Principal: 16,
} as const);
export type ScopeFilters = Flavoured<number, 'ScopeFilters'>;
