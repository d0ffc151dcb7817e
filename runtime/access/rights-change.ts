import { PermissionChangeType } from '../../contracts/events/access.js';
import type { Rights } from './read-stored-roles.js';

/** `set` replaces all rights of a user, the others add to them or take from them. */
export interface RightsChange extends Rights {
  readonly kind: 'grant' | 'revoke' | 'set';
}

/** What PermissionChanged says about a change. */
interface RightsDifference {
  readonly changeType: PermissionChangeType;
  readonly rolesAdded?: readonly string[];
  readonly rolesRemoved?: readonly string[];
  readonly permissionsAdded?: readonly string[];
  readonly permissionsRemoved?: readonly string[];
}

interface ChangedRights {
  readonly rights: Rights;
  /** Empty: nothing changes. */
  readonly differences: readonly RightsDifference[];
}

const { RolesAdded, RolesRemoved, PermissionsAdded, PermissionsRemoved, FullReassignment } =
  PermissionChangeType;

/** Roles and permissions that are granted or revoked together are two differences, each with its own type. */
export function changeRights(before: Rights, change: RightsChange): ChangedRights {
  const roles = changed(before.roles, change.kind, change.roles);
  const permissions = changed(before.permissions, change.kind, change.permissions);
  const differences = [
    { changeType: RolesAdded, rolesAdded: without(roles, before.roles) },
    { changeType: RolesRemoved, rolesRemoved: without(before.roles, roles) },
    { changeType: PermissionsAdded, permissionsAdded: without(permissions, before.permissions) },
    { changeType: PermissionsRemoved, permissionsRemoved: without(before.permissions, permissions) },
  ].filter((difference) => Object.values(difference).every(({ length }) => length > 0));
  const isWhole = change.kind === 'set' && differences.length > 0;
  const whole: RightsDifference = Object.assign({}, ...differences, { changeType: FullReassignment });
  return { rights: { roles, permissions }, differences: isWhole ? [whole] : differences };
}

function changed(
  before: readonly string[],
  kind: RightsChange['kind'],
  given: readonly string[],
): readonly string[] {
  if (kind === 'revoke') return without(before, given);
  return [...new Set(kind === 'set' ? given : [...before, ...given])];
}

const without = (from: readonly string[], other: readonly string[]): readonly string[] =>
  from.filter((one) => !other.includes(one));
