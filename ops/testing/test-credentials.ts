import type { AuthenticationRequest, IdentityInit } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';

export const wrongCredentials = { authorization: 'Bearer nobody-knows' };

/** Credentials that contain the identity itself. */
export const credentialsOf = (identity: IdentityInit) => ({
  authorization: `Bearer ${Buffer.from(JSON.stringify(identity)).toString('base64url')}`,
});

export function authenticate({ headers: { authorization } }: AuthenticationRequest): IdentityInit | null {
  if (typeof authorization !== 'string') return null;
  if (authorization === wrongCredentials.authorization) throw new Problem('unauthenticated');
  const text = Buffer.from(authorization.slice('Bearer '.length), 'base64url').toString();
  return JSON.parse(text) as IdentityInit;
}
