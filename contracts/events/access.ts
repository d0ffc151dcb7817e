import { AuditEvent } from '../audit.js';
import { group, listOf, mapOf, setOf, type Init } from '../composite-fields.js';
import {
  flagsOf,
  generatedId,
  kind,
  oneOf,
  optional,
  text,
  timestamp,
  withDefault,
  type RequiredField,
} from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';
import { isPermissionText, Permission } from '../permission.js';
import { ScopeFilters, type PerspectiveScope } from '../perspective-scope.js';

/** How a user's rights changed. */
export const PermissionChangeType = Object.freeze({
  RolesAdded: 'RolesAdded',
  RolesRemoved: 'RolesRemoved',
  PermissionsAdded: 'PermissionsAdded',
  PermissionsRemoved: 'PermissionsRemoved',
  FullReassignment: 'FullReassignment',
} as const);
export type PermissionChangeType = (typeof PermissionChangeType)[keyof typeof PermissionChangeType];

/** Why access was denied. */
export const AccessDenialReason = Object.freeze({
  InsufficientPermission: 'InsufficientPermission',
  InsufficientRole: 'InsufficientRole',
  ScopeViolation: 'ScopeViolation',
  PolicyRejected: 'PolicyRejected',
  /** Credentials are missing or wrong. */
  NotAuthenticated: 'NotAuthenticated',
} as const);
export type AccessDenialReason = (typeof AccessDenialReason)[keyof typeof AccessDenialReason];

const unaudited = AuditEvent({ exclude: true, reason: 'A security event is its own record.' });

const permission: RequiredField<string, Permission | string> = {
  ...kind('a permission, resource:action', isPermissionText),
  keep: (given) => (given instanceof Permission ? given.value : given),
};

const scopeFields = {
  tenantId: optional(text),
  customerId: optional(text),
  userId: optional(text),
  organizationId: optional(text),
  allowedPrincipals: withDefault(listOf(text), []),
  extensions: withDefault(mapOf(text), {}),
};
const scope: RequiredField<PerspectiveScope, Init<typeof scopeFields>> = group(scopeFields);

/** The acting user and their rights were established. */
@unaudited
export class ScopeContextEstablished extends record(SystemEvent, {
  id: generatedId,
  scope,
  roles: setOf(text),
  permissions: setOf(permission),
  source: text,
  timestamp,
}) {}

/** The roles or permissions of a user changed. */
@unaudited
export class PermissionChanged extends record(SystemEvent, {
  id: generatedId,
  userId: text,
  tenantId: text,
  changeType: oneOf<PermissionChangeType>(PermissionChangeType),
  rolesAdded: optional(setOf(text)),
  rolesRemoved: optional(setOf(text)),
  permissionsAdded: optional(setOf(permission)),
  permissionsRemoved: optional(setOf(permission)),
  changedBy: text,
  timestamp,
}) {}

/** A permission granted access to a resource. */
@unaudited
export class AccessGranted extends record(SystemEvent, {
  id: generatedId,
  resourceType: text,
  resourceId: optional(text),
  usedPermission: permission,
  accessFilter: flagsOf<ScopeFilters>(ScopeFilters),
  scope,
  timestamp,
}) {}

/** Access to a resource was denied, with the reason. */
@unaudited
export class AccessDenied extends record(SystemEvent, {
  id: generatedId,
  resourceType: text,
  resourceId: optional(text),
  requiredPermission: permission,
  callerPermissions: setOf(permission),
  callerRoles: setOf(text),
  scope,
  reason: oneOf<AccessDenialReason>(AccessDenialReason),
  timestamp,
}) {}
