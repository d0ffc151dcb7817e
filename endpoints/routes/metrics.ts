import type { Metrics } from '../../runtime/metrics.js';
import type { RouteAddition } from '../http/server.js';

/** `GET /metrics`: everything that is measured, read now, in the Prometheus text format. */
export const metricsRoute =
  (metrics: Pick<Metrics, 'text' | 'contentType'>): RouteAddition =>
  (app) => {
    app.get('/metrics', async (_, reply) =>
      reply
        .header('cache-control', 'no-store')
        .type(metrics.contentType)
        .send(await metrics.text()),
    );
  };
