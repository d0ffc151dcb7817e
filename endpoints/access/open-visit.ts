import type { GuardedResource } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { Access } from './access.js';
import { type Visit, visitorOf } from './visitor.js';

const recheckMs = 10_000;

/**
 * Checks the credentials of a connection that stays open again and again, because they may expire or be revoked; calls
 * `end` when they no longer allow looking. Returns how to stop. Tokens of the host stay valid while it runs.
 */
export function whileAllowed(
  visit: Visit,
  access: Access,
  resource: GuardedResource,
  end: () => void,
): () => void {
  const { authentication } = access;
  if (authentication === undefined) return () => undefined;
  const { unrecognized: _, ...known } = authentication;
  const identify = authentication.identifyAgain ?? authentication.identify;
  const again = { ...access, authentication: { ...known, identify }, failedLogins: undefined };
  const check = async (): Promise<void> => {
    try {
      await visitorOf(visit, again, 'observe', resource);
    } catch (error) {
      // What cannot be checked at the moment stays as it is.
      if (error instanceof Problem && (error.status === 401 || error.status === 403)) end();
    }
  };
  const timer = setInterval(() => void check(), access.recheckMs ?? recheckMs).unref();
  return () => clearInterval(timer);
}
