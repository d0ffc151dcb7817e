import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { Authenticate } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { ServiceDefinition } from '../../endpoints/registry.js';
import type { Database } from '../../runtime/database/database.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import type { Config } from '../config.js';

/** What the built-in authenticators need of a host. */
export interface AuthenticatorParts {
  readonly definition: ServiceDefinition;
  readonly database: Database;
  readonly notifications: NotificationSource;
  readonly supervisor: Supervisor;
}

/**
 * The ways in which callers of this service prove who they are. The service's own comes first: those that are built in
 * refuse every token that they do not know.
 */
export async function authenticatorsOf(
  { definition }: AuthenticatorParts,
  { auth, jwt }: Config,
): Promise<readonly Authenticate[]> {
  const { authenticate, claims } = definition;
  const found: Authenticate[] = authenticate === undefined ? [] : [authenticate];
  if (jwt !== undefined) {
    const { jwtAuthenticator } = await import('../../endpoints/access/jwt/jwt.js');
    found.push(jwtAuthenticator(jwt, { claims }));
  }
  if (auth.includes('api-key'))
    throw new Problem('invalid-setup', { detail: 'SVC_AUTH=api-key is not supported yet' });
  return found;
}
