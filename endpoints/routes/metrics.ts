import { type Query, textParameter } from '../access/query-parameters.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { RouteAddition } from './server.js';

/** `GET /metrics`: the current metrics in the Prometheus text format; `?host=` for one host. */
export const metricsRoute =
  (metrics: Pick<Metrics, 'text' | 'contentType' | 'aggregated'>): RouteAddition =>
  (app) => {
    app.get('/metrics', { exposeHeadRoute: true }, async ({ query }, reply) => {
      const host = textParameter(query as Query, 'host');
      const text = await (metrics.aggregated?.(host) ?? metrics.text());
      return reply.header('cache-control', 'no-store').type(metrics.contentType).send(text);
    });
  };
