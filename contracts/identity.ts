import { Problem } from './problems.js';
import type { ResourceScope } from './resource-scope.js';
import { Permission } from './permission.js';
import { type PerspectiveScope, type ScopeFilters, serviceWide } from './perspective-scope.js';

/** What a caller needs: nothing, any identity, or a permission. */
export type RequiredPermission = 'public' | 'authenticated' | Permission;

/** Who sends a request, and what they may do. */
export interface Identity {
  /** Whose data the caller acts on. */
  readonly scope: PerspectiveScope;
  readonly roles: readonly string[];
  readonly permissions: readonly Permission[];
  readonly displayName?: string | undefined;
  /** Where the identity comes from, such as `jwt` or `api-key:svc_1a2b3c4d`. */
  readonly source: string;
}

/** What an authenticator returns; everything but the source is optional. */
export interface IdentityInit {
  readonly source: string;
  readonly scope?: Partial<PerspectiveScope> | undefined;
  readonly roles?: readonly string[] | undefined;
  /** `resource:action`. */
  readonly permissions?: readonly (Permission | string)[] | undefined;
  readonly displayName?: string | undefined;
}

/** Header names are in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The part of a request that an authenticator sees. It has no body, because that is not read yet. */
export interface AuthenticationRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string | undefined;
}

/**
 * Finds out who sends a request; null when it carries no credentials. Invalid credentials throw
 * `new Problem('unauthenticated')`.
 */
export type Authenticate = (
  request: AuthenticationRequest,
) => IdentityInit | null | Promise<IdentityInit | null>;

/** An access attempt, as the security events name it. */
export interface GuardedResource {
  /** A command, a perspective, or a kind that the application defines. */
  readonly type: string;
  readonly id?: string | undefined;
  readonly scope?: ResourceScope | undefined;
}

/** Which request an access attempt belongs to, for the events about it. */
export interface AccessOrigin {
  readonly correlationId?: string | undefined;
  /** The address or network of the sender: attempts without an identity are counted by it. */
  readonly address?: string | undefined;
}

/** Decides who may do what. */
export interface Guard {
  /** Why a caller is refused. */
  refusalOf(
    identity: Identity | undefined,
    required: RequiredPermission,
    resource: GuardedResource,
    filter?: ScopeFilters,
    origin?: AccessOrigin,
  ): Problem | undefined;
}

const maxText = 256;
const maxEntries = 1_000;

/** Completes and checks what an authenticator found; a value that no audit could hold is refused. */
export function identityFrom(init: IdentityInit): Identity {
  const { scope = {}, roles = [], permissions = [], displayName, source } = init;
  const { allowedPrincipals = [], extensions = {}, ...named } = scope;
  const texts: unknown[] = [
    source,
    ...roles,
    ...allowedPrincipals,
    ...Object.entries(extensions).flat(),
    ...Object.values(named).filter((value) => value !== undefined),
    ...(displayName === undefined ? [] : [displayName]),
  ];
  if (
    named.tenantId === serviceWide ||
    texts.length > maxEntries ||
    permissions.length > maxEntries ||
    !texts.every(isPlainText)
  )
    throw new Problem('unauthenticated', {
      detail: 'The credentials are not valid.',
      cause: `An identity has at most ${maxEntries} members, each a text of 1 to ${maxText} characters, and no tenant ${serviceWide}.`,
    });
  return {
    scope: { ...named, allowedPrincipals, extensions },
    roles,
    permissions: permissions.map((one) => (typeof one === 'string' ? Permission.parse(one) : one)),
    source,
    displayName,
  };
}

/** Whether an identity holds a permission. */
export const isPermitted = ({ permissions }: Identity, required: Permission): boolean =>
  permissions.some((held) => held.matches(required));

const isPlainText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= maxText && !unfitCharacter.test(value);

// Control characters would reach logs and terminals. PostgreSQL stores no NUL, and replaces half of a surrogate pair:
// two tenants would become one.
const unfitCharacter = /[\p{Cc}\p{Cs}]/u;
