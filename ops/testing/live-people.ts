import { credentialsOf } from './test-credentials.js';

/** The credentials of someone who reads and writes notes. */
export const person = (
  userId: string,
  tenantId = 'north',
  permissions: readonly string[] = ['notes:*'],
): { readonly authorization: string } =>
  credentialsOf({ source: 'test', scope: { userId, tenantId }, permissions });
