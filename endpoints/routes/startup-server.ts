import fastify from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { correlationOf } from '../http/correlation.js';
import { httpFailure } from '../http/http-failures.js';
import { sendProblem } from '../http/reply.js';
import { addSecurityHeaders } from '../security-headers.js';
import type { RouteAddition } from './http-server.js';
import { withoutSchemas } from './without-schemas.js';

/** The server at the address of a host that cannot serve yet. */
export interface StartupServer {
  listen(port: number, bind: string): Promise<string>;
  close(): Promise<void>;
}

const retryAfterSeconds = 5;

/**
 * Answers probes and refuses everything else; closes every connection, because another server takes over the address.
 */
export function createStartupServer(probes: RouteAddition): StartupServer {
  // A connection without a request would keep the address from the server that takes it over.
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    schemaController: withoutSchemas,
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('connection', 'close');
    if (!request.is404) return done();
    const problem = new Problem('migrating', { retryAfter: retryAfterSeconds });
    sendProblem(request, reply, correlationOf(request), problem);
  });
  app.addHook('onSend', (_, reply, payload, done) => {
    addSecurityHeaders(reply);
    done(null, payload);
  });
  app.setErrorHandler((error, request, reply) => {
    sendProblem(request, reply, correlationOf(request), httpFailure(error));
  });
  app.setNotFoundHandler(() => undefined);
  probes(app);
  return {
    listen: (port, host) => app.listen({ port, host }),
    close: () => app.close(),
  };
}
