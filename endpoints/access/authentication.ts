import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GuardedResource, Identity, RequiredPermission } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import type { ScopeFilters } from '../../contracts/perspective-scope.js';
import type { AccessGuard } from '../../runtime/access/access-guard.js';
import { isThenable } from '../../runtime/lang/thenable.js';
import { type Correlated, correlationOf } from '../http/correlation.js';
import { sendProblem } from '../http/reply.js';
import { credentialOf } from './credentials.js';
import type { RateLimit } from './rate-limit.js';
import { RequestOrigin } from './request-origin.js';
import type { TrustedProxies } from './trusted-proxies.js';

/** What the sender of a request is found out from. */
export interface Identifiable extends Correlated {
  readonly method: string;
  readonly url: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Finds out who sends a request; throws when its credentials are not valid. */
export type Identify = (request: Identifiable) => Identity | null | Promise<Identity | null>;

/** How a host that authenticates checks its callers; a host without authentication has none. */
export interface Authentication {
  readonly identify: Identify;
  /** The same for a connection that is open already: what else its address sends does not matter. */
  readonly identifyAgain?: Identify;
  readonly guard: AccessGuard;
  /** Whose word about the address of a caller is trusted. */
  readonly proxies?: TrustedProxies;
  /** Notes credentials that no authenticator recognizes, where some are needed. */
  readonly unrecognized?: (request: Identifiable) => void;
  /** Unset: callers may send as much as the host can take. */
  readonly rateLimit?: RateLimit | undefined;
}

interface GuardHookOptions {
  /** How what the caller gets is limited to their scope. */
  readonly filter?: ScopeFilters;
}

export type RouteHook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/**
 * A hook that admits the callers of a route. It runs before the body is read: nothing of what an unknown caller sends
 * is parsed. Known credentials need no promise.
 */
export function guardHook(
  { identify, guard, rateLimit, unrecognized, proxies }: Authentication,
  required: RequiredPermission,
  guarded: GuardedResource,
  { filter }: GuardHookOptions = {},
): RouteHook {
  const resource = Object.freeze({ ...guarded });
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown): void => {
    // The body stays unread and may be long.
    if (!request.raw.complete) reply.header('connection', 'close');
    sendProblem(request, reply, correlationOf(request), error);
  };
  const admit = (
    request: FastifyRequest,
    reply: FastifyReply,
    done: () => void,
    found: Identity | null,
  ): void => {
    const identity = found ?? undefined;
    // A request without credentials was counted by its address before it came here.
    const isAnonymous = identity === undefined && credentialOf(request.headers) === undefined;
    const limit = isAnonymous ? undefined : rateLimit;
    const origin = new RequestOrigin(request, proxies);
    const refusal =
      limit?.refusalOf(request, reply, identity) ??
      guard.refusalOf(identity, required, resource, filter, origin);
    if (refusal !== undefined) {
      if (found === null) unrecognized?.(request);
      // A guard that requires a permission has recorded its refusal already.
      if (found === null && !isAnonymous && required === 'authenticated' && isUnauthenticated(refusal))
        guard.unidentified(required, resource, origin);
      return refuse(request, reply, refusal);
    }
    request.identity = identity;
    done();
  };
  return (request, reply, done) => {
    const refused = (error: unknown): void => {
      if (isUnauthenticated(error))
        guard.unidentified(required, resource, new RequestOrigin(request, proxies));
      refuse(request, reply, error);
    };
    try {
      const found = identify(request);
      if (isThenable(found)) found.then((identity) => admit(request, reply, done, identity), refused);
      else admit(request, reply, done, found);
    } catch (error) {
      refused(error);
    }
  };
}

/** Whether credentials were refused, and not only left unchecked. */
export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'unauthenticated';
