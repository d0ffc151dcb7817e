import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteHandlerMethod } from 'fastify';
import { type CheckResult, type HealthPaths, type HealthStatus, worstOf } from '../../contracts/health.js';
import { unauthenticated } from '../../runtime/access/access-guard.js';
import type { Access } from '../access/access.js';
import { credentialOf } from '../access/credentials.js';
import { nonLocalRefusalOf } from '../access/local-requests.js';
import { isGuarded, observerHooks, visitIn } from '../access/page-hook.js';
import { visitorOf } from '../access/visitor.js';
import type { RouteAccess } from '../route-access.js';
import type { RouteAddition } from './http-server.js';

/** How many commands of a tenant wait; null: of those without a tenant. */
interface WaitingTenant {
  readonly tenant: string | null;
  readonly waiting: number;
}

/** The latest results of all checks; a probe runs none of them. */
export interface ProbedBoard {
  readonly state: 'migrating' | 'starting' | 'watching' | 'draining';
  readonly results: readonly CheckResult[];
}

/**
 * Liveness reports the process alone; readiness and details report every check, and whether the host accepts traffic.
 */
export const healthRoutes =
  (
    host: string,
    board: ProbedBoard,
    paths: HealthPaths,
    { hooks, mayReadChecks }: HealthAccess = openHealth,
    longest: () => readonly WaitingTenant[] = () => [],
  ): RouteAddition =>
  (app) => {
    const startedAt = new Date().toISOString();
    const probe = (url: string, handler: RouteHandlerMethod, onRequest?: onRequestHookHandler[]) => {
      const config = { isProbe: true, isOpen: onRequest === undefined } satisfies RouteAccess;
      app.route({ method: ['GET', 'HEAD'], url, config, onRequest: onRequest ?? [], handler });
    };
    const ofHost = () => [...(notReady(board.state) ?? []), ...board.results];
    const self = () => [own('self', 'Healthy', null, startedAt)];
    probe(paths.live, (_, reply) => answer(reply, host, self()));
    probe(paths.ready, async (request, reply) => {
      const checks = ofHost();
      return (await mayReadChecks(request)) ? answer(reply, host, checks) : answer(reply, host, checks, true);
    });
    probe(paths.details, (_, reply) => answer(reply, host, ofHost(), false, longest()), hooks);
  };

/** Who may read more than the status. */
interface HealthAccess {
  /** Refuse who may not read the details. */
  readonly hooks: onRequestHookHandler[];
  readonly mayReadChecks: (request: FastifyRequest) => boolean | Promise<boolean>;
}

const openHealth: HealthAccess = { hooks: [], mayReadChecks: () => true };

/** The checks are for this machine: a proxy or a load balancer that forwards a request gets the status. */
const localHealth: HealthAccess = {
  hooks: [({ headers }, _reply, done) => done(nonLocalRefusalOf(headers))],
  mayReadChecks: ({ headers }) => nonLocalRefusalOf(headers) === undefined,
};

/** Until a host knows its callers, nobody may read more than the status. */
export const statusOnly: HealthAccess = {
  hooks: [(_request, _reply, done) => done(unauthenticated())],
  mayReadChecks: () => false,
};

/**
 * The checks are for those who may observe: with authentication or a token, who has the right credentials, otherwise
 * this machine. A probe without credentials is no attempt to read them.
 */
export function healthAccess(access: Access): HealthAccess {
  const resource = { type: 'health' };
  if (!isGuarded(access)) return access.localOnly ? localHealth : openHealth;
  return {
    hooks: observerHooks(access, resource.type),
    mayReadChecks: async (request) => {
      if (credentialOf(request.headers) === undefined) return false;
      try {
        await visitorOf(visitIn(request), access, 'observe', resource);
        return true;
      } catch {
        return false;
      }
    },
  };
}

function answer(
  reply: FastifyReply,
  host: string,
  checks: readonly CheckResult[],
  isStatusOnly = false,
  waiting: readonly WaitingTenant[] = [],
) {
  const status = worstOf(checks.map((check) => check.status));
  const details = { status, host, checks, ...(waiting.length > 0 && { waiting }) };
  return reply
    .code(status === 'Unhealthy' ? 503 : 200)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(isStatusOnly ? { status } : details));
}

function notReady(state: ProbedBoard['state']): readonly CheckResult[] | undefined {
  if (state === 'watching') return undefined;
  return [own(state, 'Unhealthy', notReadyBecause[state], new Date().toISOString())];
}

const notReadyBecause = {
  migrating: 'The host is migrating its database.',
  starting: 'The host is starting.',
  draining: 'The host is shutting down.',
};

const own = (name: string, status: HealthStatus, detail: string | null, since: string): CheckResult => ({
  name,
  tags: [],
  status,
  detail,
  latencyMs: 0,
  since,
});
