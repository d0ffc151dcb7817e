import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { correlationOf } from './correlation.js';
import { sendProblem } from './reply.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Knows which methods a path takes, and answers 405 for all others. */
export class AllowedMethods {
  readonly #byPath = new Map<string, string[]>();

  allow(path: string, method: 'GET' | 'POST'): void {
    this.#byPath.set(path, [...(this.#byPath.get(path) ?? []), method].sort());
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
        method: methods.filter((method) => !allowed.includes(method)),
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
    detail: `Use ${allowed.join(' or ')}.`,
    headers: { allow: allowed.join(', ') },
  });
