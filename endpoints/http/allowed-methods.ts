import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { correlationOf } from './correlation.js';
import { sendProblem } from './reply.js';

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Marks a route that exists only to refuse. */
interface RouteMark {
  readonly isRefusal?: boolean;
}

/** Tracks the methods of each path, and answers 405 for all others. */
export class AllowedMethods {
  readonly #byPath = new Map<string, Set<string>>();
  readonly #byPattern: (readonly [pattern: RegExp, methods: Set<string>])[] = [];

  /** Tracks routes that are added from now on. */
  noteRoutes(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method, config }) => {
      const { isRefusal = false }: RouteMark = config ?? {};
      if (!isRefusal) this.note(url, [method].flat());
    });
  }

  /** For a URL whose path is one of them, literally or by its parameter. */
  refusalOf(url: string): Problem | undefined {
    const [path = ''] = url.split('?', 1);
    const allowed = this.#byPath.get(path) ?? this.#byPattern.find(([pattern]) => pattern.test(path))?.[1];
    return allowed === undefined ? undefined : notAllowed(allowed);
  }

  /** Runs before parameter routes: the path of a command is never read as an id. */
  refuseOthers(app: FastifyInstance): void {
    for (const [url, allowed] of this.#byPath) {
      app.route({
        method: allMethods.filter((method) => !allowed.has(method)),
        url,
        config: { isRefusal: true } satisfies RouteMark,
        onRequest: (request, reply) => {
          sendProblem(request, reply, correlationOf(request.headers), notAllowed(allowed));
        },
        handler: () => undefined,
      });
    }
  }

  note(url: string, methods: readonly string[]): void {
    const allowed = this.#byPath.get(url) ?? new Set();
    for (const method of methods) allowed.add(method);
    if (url.includes('/:') && !this.#byPath.has(url)) this.#byPattern.push([patternOf(url), allowed]);
    this.#byPath.set(url, allowed);
  }
}

/** `/machines/:id` matches any one segment as its parameter. */
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^$()|[\]{}\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')}$`);

const notAllowed = (allowed: ReadonlySet<string>): Problem => {
  const methods = [...allowed].sort();
  return new Problem('method-not-allowed', {
    detail: `Use ${methods.filter((method) => method !== 'HEAD').join(' or ')}.`,
    headers: { allow: methods.join(', ') },
  });
};
