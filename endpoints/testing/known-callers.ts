import { type Identity, identityFrom } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { AccessGuard } from '../../runtime/access/access-guard.js';
import type { Authentication } from '../access/authentication.js';

const identities: Readonly<Record<string, Identity>> = {
  guest: identityFrom({ source: 'test', scope: { userId: 'bob' }, permissions: ['bread:eat'] }),
  observer: identityFrom({
    source: 'api-key:svc_0b5e',
    scope: { userId: 'eve' },
    permissions: ['svc:observe'],
  }),
  operator: identityFrom({
    source: 'test',
    scope: { userId: 'ada' },
    permissions: ['svc:*', 'bread:bake'],
    displayName: 'Ada Lovelace',
  }),
};

interface KnownCallers extends Authentication {
  /** What the guards decided. */
  readonly decided: string[];
  /** Names that are no longer valid. */
  readonly revoked: Set<string>;
}

/** Callers who prove their name with `X-Api-Key` or `Authorization: Bearer`: guest, observer, operator. */
export function knownCallers(): KnownCallers {
  const decided: string[] = [];
  const revoked = new Set<string>();
  const nameOf = (identity: Identity | undefined): string => identity?.scope.userId ?? 'nobody';
  return {
    decided,
    revoked,
    identify: async ({ headers: { authorization, 'x-api-key': key } }) => {
      const name = key === undefined ? authorization?.replace('Bearer ', '') : String(key);
      if (name === undefined) return null;
      const identity = revoked.has(name) ? undefined : identities[name];
      if (identity === undefined) throw new Problem('unauthenticated');
      return identity;
    },
    guard: new AccessGuard({
      established: () => undefined,
      granted: (by, { value }, { type }) => decided.push(`granted ${nameOf(by)} ${value} ${type}`),
      denied: (by, { value }, { type }) => decided.push(`denied ${nameOf(by)} ${value} ${type}`),
    }),
  };
}

export const bearing = (name: string) => ({ authorization: `Bearer ${name}` });
