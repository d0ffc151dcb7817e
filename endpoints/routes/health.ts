import type { FastifyReply } from 'fastify';
import { type CheckResult, type HealthPaths, type HealthStatus, worstOf } from '../../contracts/health.js';
import type { RouteAddition } from './server.js';

/** The latest results of all checks; a probe runs none of them. */
export interface ProbedBoard {
  readonly state: 'migrating' | 'starting' | 'watching' | 'draining';
  readonly results: readonly CheckResult[];
}

/**
 * Liveness reports the process alone; readiness and details report every check, and whether the host accepts traffic.
 */
export const healthRoutes =
  (host: string, board: ProbedBoard, paths: HealthPaths): RouteAddition =>
  (app) => {
    const startedAt = new Date().toISOString();
    const probe = (url: string, checks: () => readonly CheckResult[]) => {
      const handler = (_: unknown, reply: FastifyReply) => answer(reply, host, checks());
      app.route({ method: ['GET', 'HEAD'], url, config: { isProbe: true }, handler });
    };
    const ofHost = () => [...(notReady(board.state) ?? []), ...board.results];
    probe(paths.live, () => [own('self', 'Healthy', null, startedAt)]);
    probe(paths.ready, ofHost);
    probe(paths.details, ofHost);
  };

function answer(reply: FastifyReply, host: string, checks: readonly CheckResult[]) {
  const status = worstOf(checks.map((check) => check.status));
  return reply
    .code(status === 'Unhealthy' ? 503 : 200)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ status, host, checks }));
}

function notReady(state: ProbedBoard['state']): readonly CheckResult[] | undefined {
  if (state === 'watching') return undefined;
  return [own(state, 'Unhealthy', details[state], new Date().toISOString())];
}

const details = {
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
