import type { Access } from '../access/access.js';
import { observerHooks } from '../access/page-hook.js';
import { type Query, textParameter } from '../access/query-parameters.js';
import type { Metrics } from '../../runtime/metrics/metrics.js';
import type { RouteAddition } from './http-server.js';

/** `GET /metrics`: the current metrics in the Prometheus text format; `?host=` for one host. */
export const metricsRoute =
  (metrics: Pick<Metrics, 'text' | 'contentType' | 'aggregated'>, access?: Access): RouteAddition =>
  (app) => {
    const onRequest = observerHooks(access, 'metrics');
    app.get('/metrics', { exposeHeadRoute: true, onRequest }, async ({ query }, reply) => {
      const host = textParameter(query as Query, 'host');
      const text = await (metrics.aggregated?.(host) ?? metrics.text());
      return reply.header('cache-control', 'no-store').type(metrics.contentType).send(text);
    });
  };
