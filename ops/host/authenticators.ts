import { startRefreshing } from '../../actors/start-refreshing.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { Authenticate } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { apiKeyAuthenticator } from '../../endpoints/access/api-key.js';
import { hiddenProblem } from '../../endpoints/problem.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { readValidApiKeys } from '../../runtime/access/api-key-store.js';
import { KnownApiKeys } from '../../runtime/access/known-api-keys.js';
import type { Database } from '../../runtime/database/database.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import { isThenable } from '../../runtime/lang/thenable.js';
import type { Config } from '../config/config.js';

/** What the built-in authenticators need of a host. */
interface AuthenticatorParts {
  readonly definition: ServiceDefinition;
  readonly database: Database;
  readonly notifications: NotificationSource;
  readonly leases: Pick<HostLeases, 'watch'>;
  readonly supervisor: Supervisor;
}

/**
 * The ways in which callers of this service prove who they are. The service's own comes first: those that are built in
 * refuse every token that they do not know.
 */
export async function authenticatorsOf(
  parts: AuthenticatorParts,
  { auth, jwt, deadlineMs }: Config,
): Promise<readonly Authenticate[]> {
  const { authenticate, claims } = parts.definition;
  const found: Authenticate[] =
    authenticate === undefined ? [] : [checkingWithin(deadlineMs, hidingErrors(authenticate))];
  if (jwt !== undefined) {
    const { jwtAuthenticator } = await import('../../endpoints/access/jwt/jwt.js');
    found.push(jwtAuthenticator(jwt, { claims }));
  }
  if (auth.includes('api-key')) found.push(apiKeyAuthenticator(await startApiKeys(parts)));
  return found;
}

/** An authenticator handles credentials and may put them into its errors: the log gets where they were thrown only. */
function hidingErrors(authenticate: Authenticate): Authenticate {
  const refuse = (error: unknown): never => {
    throw hiddenProblem(error);
  };
  return (request) => {
    try {
      const found = authenticate(request);
      return isThenable(found) ? found.then(undefined, refuse) : found;
    } catch (error) {
      return refuse(error);
    }
  };
}

/** What an authenticator asks may never answer: a request waits for it as long as for a command. */
const checkingWithin =
  (ms: number, authenticate: Authenticate): Authenticate =>
  (request) => {
    const found = authenticate(request);
    return isThenable(found) ? settledWithin(ms, found) : found;
  };

const settledWithin = <T>(ms: number, found: PromiseLike<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unchecked()), ms);
    found.then(resolve, reject).then(() => clearTimeout(timer));
  });

const unchecked = (): Problem =>
  new Problem('keys-unavailable', {
    detail: 'Your credentials cannot be checked at the moment; try again.',
    retryAfter: 5,
  });

/** Each look also shows that the copy is not too old. */
const keysEveryMs = 3_000;

/** No request is served before the keys are known. */
async function startApiKeys(parts: AuthenticatorParts): Promise<KnownApiKeys> {
  const { database, supervisor } = parts;
  const known = new KnownApiKeys(() => readValidApiKeys(database));
  await known.refresh();
  const refresh = () => known.refresh();
  const copy = { name: 'the API keys', channel: 'svc_access', everyMs: keysEveryMs, refresh } as const;
  await supervisor.start({ name: 'api-keys', start: () => startRefreshing(copy, parts) });
  return known;
}
