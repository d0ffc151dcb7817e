import type { Identity } from '../../../contracts/identity.js';
import type { Problem } from '../../../contracts/problems.js';
import { isPermissionText } from '../../../contracts/permission.js';
import { unauthenticated } from '../../../runtime/access/access-guard.js';
import { frozenIdentity } from '../../../runtime/access/frozen-identity.js';

/** The name of a claim, or the path to a nested one: `['realm_access', 'roles']`. */
type ClaimName = string | readonly string[];

/** The claims of a JWT that an identity is made of; what is not named keeps its default. */
export interface ClaimNames {
  /** `sub` */
  readonly userId?: ClaimName;
  /** `name` */
  readonly displayName?: ClaimName;
  /** `tenant` */
  readonly tenantId?: ClaimName;
  /** `org` */
  readonly organizationId?: ClaimName;
  /** `customer` */
  readonly customerId?: ClaimName;
  /** `roles`, a list */
  readonly roles?: ClaimName;
  /** `permissions`, a list */
  readonly permissions?: ClaimName;
  /** A list; none by default. */
  readonly allowedPrincipals?: ClaimName;
  /** Each extension by its own claim; none by default. */
  readonly extensions?: Readonly<Record<string, ClaimName>>;
}

type Claims = Readonly<Record<string, unknown>>;

/** Makes the identity of a verified token; a claim of another type than expected refuses the token. */
export function identityOfClaims(claims: Claims, source: string, names: ClaimNames = {}): Identity {
  const text = (name: ClaimName | undefined): string | undefined => textIn(claims, name);
  const list = (name: ClaimName | undefined): readonly string[] => listIn(claims, name);
  const extensions = Object.entries(names.extensions ?? {}).flatMap(([name, claim]) => {
    const value = text(claim);
    return value === undefined ? [] : [[name, value] as const];
  });
  const scope = {
    userId: text(names.userId ?? 'sub'),
    tenantId: text(names.tenantId ?? 'tenant'),
    organizationId: text(names.organizationId ?? 'org'),
    customerId: text(names.customerId ?? 'customer'),
  };
  return frozenIdentity({
    source,
    scope: {
      ...Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== undefined)),
      allowedPrincipals: list(names.allowedPrincipals),
      extensions: Object.fromEntries(extensions),
    },
    roles: list(names.roles ?? 'roles'),
    permissions: permissionsIn(claims, names.permissions ?? 'permissions'),
    displayName: text(names.displayName ?? 'name'),
  });
}

/** An empty text is refused: it could pass for no tenant, or for no user. */
function textIn(claims: Claims, name: ClaimName | undefined): string | undefined {
  const value = valueIn(claims, name);
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw malformed(name, 'a text');
}

function listIn(claims: Claims, name: ClaimName | undefined): readonly string[] {
  const value = valueIn(claims, name) ?? [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw malformed(name, 'a list of texts');
}

function permissionsIn(claims: Claims, name: ClaimName): readonly string[] {
  const permissions = listIn(claims, name);
  if (permissions.every(isPermissionText)) return permissions;
  throw malformed(name, 'a list of permissions');
}

/** Null is the same as no claim: some issuers write every claim. */
function valueIn(claims: Claims, name: ClaimName | undefined): unknown {
  let value: unknown = name === undefined ? undefined : claims;
  for (const part of typeof name === 'string' ? [name] : (name ?? [])) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value ?? undefined;
}

const malformed = (name: ClaimName | undefined, expected: string): Problem =>
  unauthenticated(`The claim ${String(name)} must be ${expected}.`);
