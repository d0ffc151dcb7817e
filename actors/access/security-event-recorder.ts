import type { SystemMessageContext } from '../../contracts/system-event-emitter.js';
import { AccessDenied, AccessGranted, ScopeContextEstablished } from '../../contracts/events/access.js';
import type { AccessOrigin, GuardedResource, Identity } from '../../contracts/identity.js';
import type { AccessDenialReason } from '../../contracts/events/access.js';
import type { Permission } from '../../contracts/permission.js';
import type { PerspectiveScope, ScopeFilters } from '../../contracts/perspective-scope.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { SecurityEvents } from '../../runtime/access/access-guard.js';
import { oncePerFrozen } from '../../runtime/lang/once-per-frozen.js';
import { flatScope } from '../../runtime/request/request-context.js';
import { EventWindows } from './event-windows.js';
import { GrantedActions } from './granted-actions.js';

export interface SecurityEventPorts {
  /** Resolves when the event is stored or given up; never rejects. */
  emit(event: SystemMessage, context: SystemMessageContext): Promise<void>;
  readonly now?: () => number;
  readonly after?: (ms: number, task: () => void) => () => void;
}

/** Each refusal counts, but a caller who repeats one must not fill the log. */
const denialsOneByOne = 10;

/**
 * Stores what the guards decide and delays no request: what repeats within a minute becomes one event with its count
 * in the metadata, which describes the last occurrence without the id of its resource.
 */
export class SecurityEventRecorder implements SecurityEvents {
  readonly #windows: EventWindows;
  readonly #callerOf = oncePerFrozen(textOfCaller);
  readonly #actions = new GrantedActions();
  readonly #pending = new Set<Promise<void>>();

  constructor(private readonly ports: SecurityEventPorts) {
    const { now = Date.now, after = afterUnreferenced } = ports;
    this.#windows = new EventWindows({ now, after });
  }

  established(identity: Identity, { correlationId }: AccessOrigin = {}): void {
    const { scope, roles, permissions, source } = identity;
    this.#windows.add(this.#callerOf(identity), 'established', 1, (at, count) => {
      const timestamp = textOf(at);
      const established = new ScopeContextEstablished({ scope, roles, permissions, source, timestamp });
      this.#emit(established, scope, correlationId, count);
    });
  }

  granted(
    identity: Identity,
    usedPermission: Permission,
    resource: GuardedResource,
    accessFilter: ScopeFilters,
    { correlationId }: AccessOrigin = {},
  ): void {
    const { scope } = identity;
    const { type: resourceType, id } = resource;
    const action = this.#actions.textOf(resource, usedPermission, accessFilter);
    this.#windows.add(this.#callerOf(identity), action, 1, (at, count) => {
      const resourceId = count === 1 ? id : undefined;
      const granted = { resourceType, resourceId, usedPermission, accessFilter, scope };
      this.#emit(new AccessGranted({ ...granted, timestamp: textOf(at) }), scope, correlationId, count);
    });
  }

  denied(
    identity: Identity | undefined,
    requiredPermission: Permission,
    { type: resourceType, id }: GuardedResource,
    reason: AccessDenialReason,
    origin: AccessOrigin = {},
  ): void {
    const { scope, permissions: callerPermissions, roles: callerRoles } = identity ?? nobody;
    const { correlationId } = origin;
    const caller = identity === undefined ? (origin.address ?? '') : this.#callerOf(identity);
    this.#windows.add(caller, `denied\0${requiredPermission.value}`, denialsOneByOne, (at, count) => {
      const resourceId = count === 1 ? id : undefined;
      const denied = { resourceType, resourceId, requiredPermission, callerPermissions, callerRoles };
      const event = new AccessDenied({ ...denied, scope, reason, timestamp: textOf(at) });
      this.#emit(event, scope, correlationId, count);
    });
  }

  /** Emits what waits for the end of its minute; resolves when everything is stored or given up. */
  async stop(): Promise<void> {
    this.#windows.flush();
    await Promise.all(this.#pending);
  }

  #emit(
    event: SystemMessage,
    scope: PerspectiveScope,
    correlationId: string | undefined,
    count: number,
  ): void {
    const context = {
      ...(correlationId === undefined ? {} : { correlationId }),
      ...(scope === nobody.scope ? {} : { scope: flatScope(scope) }),
      ...(count === 1 ? {} : { count }),
    };
    const emission = this.ports.emit(event, context).finally(() => this.#pending.delete(emission));
    this.#pending.add(emission);
  }
}

const nobody: Pick<Identity, 'scope' | 'roles' | 'permissions'> = {
  scope: { allowedPrincipals: [], extensions: {} },
  roles: [],
  permissions: [],
};

/** Texts of an identity hold no control characters. */
function textOfCaller({ source, scope }: Identity): string {
  const { tenantId = '', userId = '', organizationId = '', customerId = '' } = scope;
  return `${source}\0${tenantId}\0${userId}\0${organizationId}\0${customerId}`;
}

const textOf = (at: number): string => new Date(at).toISOString();

function afterUnreferenced(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
}
