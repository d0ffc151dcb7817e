import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Histogram } from '../../runtime/histogram.js';
import type { MetricFamily, Sample } from '../../runtime/metrics.js';

/** Observes how one request of a route was answered. */
export type ObserveAnswer = (status: number, seconds: number) => void;

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Request durations, by method, registered route and status: never by text that a client chose. */
export class RequestDurations {
  readonly #routes = new Map<string, { readonly labels: RouteLabels; readonly byStatus: ByStatus }>();
  readonly #streams = new WeakSet<FastifyReply>();

  /** Called once per route, so that a request looks up only its status. */
  of(method: string, route: string): ObserveAnswer {
    const key = `${method} ${route}`;
    const labels = { http_request_method: method, http_route: route };
    const { byStatus } = this.#routes.get(key) ?? { byStatus: new Map() };
    this.#routes.set(key, { labels, byStatus });
    return (status, seconds) => {
      let times = byStatus.get(status);
      if (times === undefined) byStatus.set(status, (times = new Histogram(bounds)));
      times.observe(seconds);
    };
  }

  /** How long a stream is open is no duration of a request: it was answered when it started. */
  answersWithStream(method: string, route: string, reply: FastifyReply): void {
    this.#streams.add(reply);
    this.of(method, route)(200, reply.elapsedTime / 1000);
  }

  isStream(reply: FastifyReply): boolean {
    return this.#streams.has(reply);
  }

  readonly family: MetricFamily = {
    name: 'http_server_request_duration_seconds',
    help: 'How long HTTP requests took, by route and status.',
    type: 'histogram',
    read: () => this.#samples(),
  };

  *#samples(): Iterable<Sample> {
    for (const { labels, byStatus } of this.#routes.values())
      for (const [status, times] of byStatus)
        yield { labels: { ...labels, http_response_status_code: String(status) }, value: times.read() };
  }
}

interface RouteLabels {
  readonly http_request_method: string;
  readonly http_route: string;
}

type ByStatus = Map<number, Histogram>;

const isTimed = (config: unknown): boolean =>
  (config as { readonly isTimed?: boolean } | undefined)?.isTimed === true;

/** Times every route that is added from here on, except those that observe their own answers: a hook costs more. */
export function timeRoutes(app: FastifyInstance, times: RequestDurations): void {
  app.addHook('onRoute', (route) => {
    if (isTimed(route.config)) return;
    const notes = new Map<string, ObserveAnswer>();
    const before = route.onResponse ?? [];
    route.onResponse = [
      ...(Array.isArray(before) ? before : [before]),
      ({ method }, reply, done) => {
        if (times.isStream(reply)) return done();
        let note = notes.get(method);
        if (note === undefined) notes.set(method, (note = times.of(method, route.url)));
        note(reply.raw.statusCode, reply.elapsedTime / 1000);
        done();
      },
    ];
  });
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** Observes a request that was refused before its route; an unregistered path counts as unknown. */
export function observeRefusal(
  times: RequestDurations,
  { method, is404, routeOptions }: FastifyRequest,
  status: number,
): void {
  if (is404) times.of(knownMethods.has(method) ? method : '_OTHER', '')(status, 0);
  else if (isTimed(routeOptions.config)) times.of(method, routeOptions.url ?? '')(status, 0);
}
