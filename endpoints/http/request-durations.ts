import type { FastifyInstance, FastifyReply } from 'fastify';
import { Histogram } from '../../runtime/metrics/histogram.js';
import type { MetricFamily, Sample } from '../../runtime/metrics/metrics.js';
import { allMethods } from './allowed-methods.js';
import type { AnsweredRequest, AnswerObserver } from './answered-request.js';

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Request durations, by method, registered route and status: never by text that a client chose. */
export class RequestDurations implements AnswerObserver {
  /** By route, then method, then status. */
  readonly #routes = new Map<string, Map<string, ByStatus>>();
  /** In milliseconds; a stream waits for ever. */
  readonly #waits = new WeakMap<FastifyReply, number>();

  note(method: string, route: string, status: number, seconds: number): void {
    const methods = oneOf(this.#routes, route, () => new Map<string, ByStatus>());
    const statuses = oneOf(methods, method, (): ByStatus => new Map());
    oneOf(statuses, status, () => new Histogram(bounds)).observe(seconds);
  }

  /** Of routes that are not timed by a hook; an unregistered path counts as unknown. */
  left({ request, route, status, seconds }: Timed): void {
    const { method } = request;
    if (route !== undefined) return this.note(method, route, status, seconds);
    if (request.is404) return this.note(allMethods.includes(method) ? method : '_OTHER', '', status, 0);
    const { config, url = '' } = request.routeOptions;
    if (config.isTimed === true) this.note(method, url, status, seconds);
  }

  /** How long a stream is open is no duration of a request: it was answered when it started. */
  answersWithStream(method: string, route: string, reply: FastifyReply): void {
    this.note(method, route, 200, reply.elapsedTime / 1000);
    this.waited(reply, Infinity);
  }

  /** What a client asked to wait for is no part of the duration. */
  waited(reply: FastifyReply, ms: number): void {
    this.#waits.set(reply, ms);
  }

  ended(method: string, route: string, reply: FastifyReply): void {
    const ms = reply.elapsedTime - (this.#waits.get(reply) ?? 0);
    if (ms >= 0) this.note(method, route, reply.raw.statusCode, ms / 1000);
  }

  readonly family: MetricFamily = {
    name: 'http_server_request_duration_seconds',
    help: 'How long HTTP requests took, by route and status.',
    type: 'histogram',
    read: () => this.#samples(),
  };

  *#samples(): Iterable<Sample> {
    for (const [http_route, methods] of this.#routes)
      for (const [http_request_method, statuses] of methods)
        for (const [status, times] of statuses) {
          const labels = { http_request_method, http_route, http_response_status_code: String(status) };
          yield { labels, value: times.read() };
        }
  }
}

type Timed = Pick<AnsweredRequest, 'request' | 'route' | 'status' | 'seconds'>;
type ByStatus = Map<number, Histogram>;

function oneOf<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let found = map.get(key);
  if (found === undefined) map.set(key, (found = create()));
  return found;
}

/** Times every route that is added from here on, except those that report their answers: a hook costs more. */
export function timeRoutes(app: FastifyInstance, times: RequestDurations): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.isTimed === true) return;
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      ({ method }, reply, done) => {
        times.ended(method, route.url, reply);
        done();
      },
    ];
  });
}
