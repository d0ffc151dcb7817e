import { AccessDenied } from '../../contracts/events/access.js';

/** A refusal as an application would report it, with any other members. */
export const deniedAccess = (more: object = {}): AccessDenied =>
  Reflect.construct(AccessDenied, [
    {
      resourceType: 'shop',
      requiredPermission: 'shop:write',
      callerPermissions: [],
      callerRoles: [],
      scope: {},
      reason: 'InsufficientPermission',
      timestamp: '2026-03-01T09:30:00Z',
      ...more,
    },
  ]) as AccessDenied;
