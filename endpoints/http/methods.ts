import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { correlationOf } from './correlation.js';
import { sendProblem } from './reply.js';

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Knows which methods a path takes, and answers 405 for all others. */
export class AllowedMethods {
  readonly #byPath = new Map<string, string[]>();

  /** What can be read can be asked for its head. */
  allow(path: string, method: 'GET' | 'POST'): void {
    const methods = method === 'GET' ? [method, 'HEAD'] : [method];
    this.#byPath.set(path, [...(this.#byPath.get(path) ?? []), ...methods].sort());
  }

  /** For a path that is exactly one of them. */
  refusalOf(path: string): Problem | undefined {
    const allowed = this.#byPath.get(path);
    return allowed === undefined ? undefined : notAllowed(allowed);
  }

  /** Before parameter routes are tried: a path of a command is never taken for an id. */
  refuseOthers(app: FastifyInstance): void {
    for (const [url, allowed] of this.#byPath) {
      app.route({
        method: allMethods.filter((method) => !allowed.includes(method)),
        url,
        onRequest: (request, reply) => {
          sendProblem(request, reply, correlationOf(request.headers), notAllowed(allowed));
        },
        handler: () => undefined,
      });
    }
  }
}

const notAllowed = (allowed: readonly string[]): Problem =>
  new Problem('method-not-allowed', {
    detail: `Use ${allowed.filter((method) => method !== 'HEAD').join(' or ')}.`,
    headers: { allow: allowed.join(', ') },
  });
