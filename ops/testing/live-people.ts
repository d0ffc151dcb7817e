import type { IdentityInit } from '../../contracts/identity.js';

const credentialsOf = (identity: Partial<IdentityInit>) => ({
  authorization: `Bearer ${Buffer.from(JSON.stringify({ source: 'test', ...identity })).toString('base64url')}`,
});

/** The credentials of someone who reads and writes notes. */
export const person = (
  userId: string,
  tenantId = 'north',
  permissions: readonly string[] = ['notes:*'],
): { readonly authorization: string } => credentialsOf({ scope: { userId, tenantId }, permissions });
