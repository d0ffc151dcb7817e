import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { headerRefusalOf } from '../access/header-refusal.js';
import { correlationOf } from '../http/correlation.js';
import { httpFailure } from '../http/http-failures.js';
import { keepAliveMs, sendProblem } from '../http/reply.js';
import { mustBeJson, parseBody } from '../http/read-json-body.js';
import { withoutSchemas } from './without-schemas.js';

interface AppOptions {
  readonly bodyLimit: number;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly localOnly?: boolean;
  /** Routes of the application may have schemas. */
  readonly hasOwnRoutes: boolean;
}

export function createApp(
  options: AppOptions,
  clientErrorHandler: (error: Error, socket: Socket) => void,
): FastifyInstance {
  const app = fastify({
    bodyLimit: options.bodyLimit,
    requestTimeout: options.requestTimeoutMs ?? 15_000,
    keepAliveTimeout: keepAliveMs,
    // On a busy machine a client, or this process, may wait seconds for a processor between connecting and sending.
    http: { headersTimeout: options.headersTimeoutMs ?? 7_500, connectionsCheckingInterval: 1_000 },
    // Our own drain answers, which knows what is in flight.
    return503OnClosing: false,
    forceCloseConnections: true,
    logger: false,
    // A key of a process has up to 1,024 bytes.
    routerOptions: { maxParamLength: 3_072 },
    schemaController: options.hasOwnRoutes ? schemasOnUse : withoutSchemas,
    exposeHeadRoutes: false,
    allowErrorHandlerOverride: false,
    clientErrorHandler,
    frameworkErrors: (error, request, reply) => {
      const refusal = headerRefusalOf(request, options.localOnly ?? false) ?? httpFailure(error);
      sendProblem(request, reply, correlationOf(request), refusal);
    },
  });
  takeJsonOnly(app);
  return app;
}

function takeJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      mustBeJson(request.headers);
      request.rawBody = body;
      done(null, parseBody(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

type Compile = (...given: readonly unknown[]) => unknown;

/** The compilers that Fastify itself would use, loaded with the first schema: they are a hundred files. */
const compiler =
  (name: string): Compile =>
  (...given) => {
    const fromHere = createRequire(import.meta.url);
    const create = createRequire(fromHere.resolve('fastify'))(name) as () => Compile;
    return create()(...given);
  };

const schemasOnUse = {
  compilersFactory: {
    buildValidator: compiler('@fastify/ajv-compiler') as never,
    buildSerializer: compiler('@fastify/fast-json-stringify-compiler') as never,
  },
};
