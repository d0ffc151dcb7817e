import type { Identity } from '../../contracts/identity.js';
import { isPermissionText, Permission } from '../../contracts/permission.js';
import { oncePerFrozen } from '../lang/once-per-frozen.js';
import type { RoleAssignment, StoredRoles } from './read-stored-roles.js';

interface Assigned {
  readonly roles: readonly string[];
  readonly permissions: readonly Permission[];
}

/** A copy of the roles store in memory, because every request asks it; while the database is away, the last one serves. */
export class KnownRoles {
  #version: string | undefined;
  #permissions: ReadonlyMap<string, readonly Permission[]> = new Map();
  #assigned: ReadonlyMap<string, Assigned> = new Map();
  /** Identities that are used for many requests are completed once per version. */
  #completed = this.#completion();

  /** `read` returns nothing when the known version is the newest. */
  constructor(private readonly read: (known: string | undefined) => Promise<StoredRoles | undefined>) {}

  /** Undefined until they are read. */
  get version(): string | undefined {
    return this.#version;
  }

  async refresh(): Promise<void> {
    const stored = await this.read(this.#version);
    if (stored === undefined) return;
    const { version, definitions, assignments } = stored;
    this.#permissions = new Map(
      definitions.map(({ role, permissions }) => [role, permissionsIn(permissions)] as const),
    );
    this.#assigned = new Map(
      assignments.map(({ roles, permissions, ...user }) => [
        keyOf(user),
        { roles, permissions: permissionsIn(permissions) },
      ]),
    );
    this.#version = version;
    this.#completed = this.#completion();
  }

  /** Adds what the store assigns to the user, and the permissions of all their roles. */
  complete(identity: Identity): Identity {
    if (this.#permissions.size + this.#assigned.size === 0) return identity;
    return this.#completed(identity);
  }

  #completion(): (identity: Identity) => Identity {
    return oncePerFrozen((identity) => this.#complete(identity));
  }

  #complete(identity: Identity): Identity {
    const { tenantId = '', userId } = identity.scope;
    const assigned = userId === undefined ? undefined : this.#assigned.get(keyOf({ tenantId, userId }));
    const roles =
      assigned === undefined ? identity.roles : [...new Set([...identity.roles, ...assigned.roles])];
    const added = [
      ...(assigned?.permissions ?? []),
      ...roles.flatMap((role) => this.#permissions.get(role) ?? []),
    ];
    if (added.length === 0 && roles.length === identity.roles.length) return identity;
    const completed = { ...identity, roles, permissions: distinct([...identity.permissions, ...added]) };
    saidIdentities.set(completed, identity);
    return Object.isFrozen(identity) ? Object.freeze(completed) : completed;
  }
}

const saidIdentities = new WeakMap<Identity, Identity>();

/** An identity as its credentials say it: what the roles store grants can be asked again at any time. */
export const asSaid = (identity: Identity): Identity => saidIdentities.get(identity) ?? identity;

const keyOf = ({ tenantId, userId }: Pick<RoleAssignment, 'tenantId' | 'userId'>): string =>
  `${tenantId}\0${userId}`;

/** What is no permission grants nothing, and must not keep the rest from being read. */
const permissionsIn = (texts: readonly string[]): readonly Permission[] =>
  texts.filter(isPermissionText).map((text) => Permission.parse(text));

const distinct = (permissions: readonly Permission[]): readonly Permission[] => [
  ...new Map(permissions.map((permission) => [permission.value, permission])).values(),
];
