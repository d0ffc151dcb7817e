import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { correlationOf } from './correlation.js';
import { sendProblem } from './reply.js';

export const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

interface KnownPath {
  readonly url: string;
  readonly methods: Set<string>;
  /** For a path with parameters. */
  readonly pattern?: RegExp;
}

/** Tracks the methods of each path, and answers 405 for all others. */
export class AllowedMethods {
  /** For the router, paths that differ in the names of their parameters alone are the same. */
  readonly #byShape = new Map<string, KnownPath>();

  noteRoutes(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method, config }) => {
      if (config?.isRefusal !== true) this.note(url, [method].flat());
    });
  }

  /** The methods of a URL whose path is known, literally or by its parameter. */
  methodsOf(url: string): ReadonlySet<string> | undefined {
    const [path = ''] = url.split('?', 1);
    const known =
      this.#byShape.get(path) ??
      [...this.#byShape.values()].find(({ pattern }) => pattern?.test(path) === true);
    return known?.methods;
  }

  refusalOf(url: string): Problem | undefined {
    const allowed = this.methodsOf(url);
    return allowed === undefined ? undefined : notAllowed(allowed);
  }

  /** Runs before parameter routes: the path of a command is never read as an id. */
  refuseOthers(app: FastifyInstance): void {
    for (const { url, methods } of this.#byShape.values()) {
      // Every path would be allowed what one route with a wildcard allows.
      if (url.includes('*')) continue;
      app.route({
        method: allMethods.filter((method) => !methods.has(method)),
        url,
        config: { isRefusal: true },
        onRequest: (request, reply) => {
          sendProblem(request, reply, correlationOf(request), notAllowed(methods));
        },
        handler: () => undefined,
      });
    }
  }

  note(url: string, methods: readonly string[]): void {
    const shape = url.replaceAll(/:\w+/g, ':');
    const known = this.#byShape.get(shape) ?? newPath(url);
    for (const method of methods) known.methods.add(method);
    this.#byShape.set(shape, known);
  }
}

const newPath = (url: string): KnownPath => ({
  url,
  methods: new Set(),
  ...(url.includes('/:') ? { pattern: patternOf(url) } : {}),
});

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
