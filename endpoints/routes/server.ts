import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { graphqlRoutes } from '../graphql/route.js';
import { type EndpointRegistration, mustBeDistinct } from '../registrations.js';
import type { ReadRoute } from '../queries/read-routes.js';
import { landingRoute } from './landing.js';
import { docsRoutes } from './openapi.js';
import { type Authentication, guardHook } from '../access/authentication.js';
import type { Access } from '../access/access.js';
import { credentialOf } from '../access/credentials.js';
import { headerRefusalOf } from '../access/header-refusal.js';
import type { RouteAccess } from '../http/route-access.js';
import type { RateLimit } from '../access/rate-limit.js';
import { sessionRoutes } from '../access/session-routes.js';
import { mustBeJson, parseBody } from '../http/read-json-body.js';
import { brokenRequests } from '../http/answer-broken-requests.js';
import { commandRoute, type CommandRoutePorts } from '../http/command-route.js';
import { Connections } from '../http/connections.js';
import { correlationOf } from '../http/correlation.js';
import { addHeader } from '../http/extra-headers.js';
import { httpFailure } from '../http/http-failures.js';
import { AllowedMethods } from '../http/allowed-methods.js';
import { sendProblem } from '../http/reply.js';
import { observeRefusal, RequestDurations, timeRoutes } from '../http/request-durations.js';
import { addSecurityHeaders } from '../security-headers.js';
import { withoutSchemas } from './without-schemas.js';
import { Shedding } from '../http/shedding.js';

export interface HttpOptions {
  readonly bodyLimit: number;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** The OpenAPI document, as text: adds /openapi.json and /docs. */
  readonly openApi?: string | undefined;
  /** The GraphQL schema, as text: adds /graphql. */
  readonly schema?: string | undefined;
  /** GET routes, also on the path of a command. */
  readonly reads?: readonly ReadRoute[];
  /** Routes other than commands: health, metrics, pages. */
  readonly routes?: readonly RouteAddition[];
  /** Where request durations are recorded. */
  readonly times?: RequestDurations;
  /** Enables developer features: introspection, the GraphQL page. */
  readonly development?: boolean;
  /** Only this machine may send requests: foreign host names and forwarded requests are refused. */
  readonly localOnly?: boolean;
  /** Unset: nobody is asked who they are. */
  readonly authentication?: Authentication | undefined;
  /** Who may see the pages: adds the routes to sign in. */
  readonly access?: Access;
  /** Limits what is not limited by identity; unset: off. */
  readonly rateLimit?: RateLimit | undefined;
}

export type RouteAddition = (app: FastifyInstance) => void;

export interface HttpServer {
  readonly app: FastifyInstance;
  /** Requests in flight. */
  readonly active: number;
  listen(port: number, bind: string): Promise<string>;
  /** Answers what is in flight on every open connection; aborts it after 7 s, and soon after closes what is left. */
  drain(): Promise<void>;
}

/** A host announces its stop for a second before: 8 s after the signal. */
const abortAfterMs = 7_000;
const closeAfterMs = 7_500;

export function createHttpServer(
  endpoints: readonly EndpointRegistration[],
  ports: CommandRoutePorts,
  options: HttpOptions,
): HttpServer {
  mustBeDistinct(endpoints);
  const app = createApp(
    options,
    brokenRequests(() => connections),
  );
  const connections = new Connections(app.server);
  const { times = new RequestDurations() } = options;
  timeRoutes(app, times);
  const shedding = new Shedding(connections, (request, status) => observeRefusal(times, request, status));
  app.server.on('connection', () => shedding.accepted());
  const { bodyLimit, schema = '', openApi, development = false, access, authentication } = options;
  const draining: Draining = { is: 'no' };
  takeJsonOnly(app);
  const allowed = new AllowedMethods();
  allowed.noteRoutes(app);
  refuseEarly(app, { ...options, draining, allowed, shedding, times });
  const shared = { connections, shedding, times, bodyLimit, authentication };
  for (const registration of endpoints) commandRouteOf(app, registration, ports, shared);
  for (const read of options.reads ?? []) read.add(app);
  allowed.refuseOthers(app);
  graphqlRoutes(app, { ...shared, access, schema, endpoints, ports, development });
  if (openApi !== undefined) docsRoutes(app, openApi, access);
  if (access !== undefined) sessionRoutes(app, access);
  for (const add of options.routes ?? []) add(app);
  if (development) landingRoute(app);
  app.setNotFoundHandler(() => undefined);
  return {
    app,
    get active() {
      return connections.active;
    },
    listen: async (port, host) => {
      const url = await app.listen({ port, host });
      shedding.start();
      return url;
    },
    drain: () => drain(app, connections, draining).finally(() => shedding.stop()),
  };
}

/** What the routes of a server share. */
interface SharedByRoutes {
  readonly connections: Connections;
  readonly shedding: Shedding;
  readonly times: RequestDurations;
  readonly bodyLimit: number;
  readonly authentication: Authentication | undefined;
}

function commandRouteOf(
  app: FastifyInstance,
  registration: EndpointRegistration,
  ports: CommandRoutePorts,
  { connections, shedding, times, bodyLimit, authentication }: SharedByRoutes,
): void {
  const { restRoute: url, command, permission = 'authenticated' } = registration;
  if (url === null) return;
  const gate = shedding.gate();
  const note = times.of('POST', url);
  const onRefused = (request: FastifyRequest, status: number) => observeRefusal(times, request, status);
  const guards =
    authentication === undefined
      ? []
      : [guardHook(authentication, permission, { type: command.name }, { onRefused })];
  const answer = commandRoute(registration, ports, { connections, gate, note, bodyLimit });
  const onRequest = [shedding.guard(gate), ...guards, answer];
  app.post(url, { onRequest, config: { isTimed: true } }, () => undefined);
}

interface Draining {
  is: 'no' | 'closing' | 'refusing';
}

interface Refusing {
  readonly draining: Draining;
  readonly localOnly?: boolean;
  readonly access?: Access;
  readonly authentication?: Authentication | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly allowed: AllowedMethods;
  readonly shedding: Shedding;
  readonly times: RequestDurations;
}

/** Refuses before the body is read: an unknown route, or a host without time. */
function refuseEarly(
  app: FastifyInstance,
  { draining, localOnly = false, access, authentication, rateLimit, allowed, shedding, times }: Refusing,
): void {
  const { proxies } = access ?? {};
  const limit = rateLimit && addressLimit(rateLimit, authentication !== undefined);
  const refusalOf = (request: FastifyRequest): Problem | undefined => {
    if (draining.is === 'refusing') return new Problem('draining');
    const atDoor = headerRefusalOf(request, localOnly);
    if (atDoor !== undefined) return atDoor;
    if (!request.is404) return undefined;
    return allowed.refusalOf(request.url) ?? new Problem('not-found');
  };
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown): void => {
    sendProblem(request, reply, correlationOf(request.headers), error);
    observeRefusal(times, request, reply.statusCode);
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (draining.is !== 'no') reply.header('connection', 'close');
    if (proxies?.areSet === true && proxies.isEncrypted(request)) addHeader(reply, ...onlyEncrypted);
    const refusal = limit?.(request, reply) ?? refusalOf(request);
    if (refusal !== undefined) refuse(request, reply, refusal);
    else shedding.admit(request, reply, done);
  });
  app.addHook('onSend', (_, reply, payload, done) => {
    addSecurityHeaders(reply);
    done(null, payload);
  });
  app.setErrorHandler((error, request, reply) => {
    refuse(request, reply, httpFailure(error));
  });
}

/** A caller with credentials is limited where they are checked, by identity. */
const addressLimit =
  (rateLimit: RateLimit, authenticates: boolean) =>
  (request: FastifyRequest, reply: FastifyReply): Problem | undefined => {
    const { isProbe = false } = (request.routeOptions.config ?? {}) as RouteAccess;
    if (isProbe) return undefined;
    const isChecked = authenticates && !request.is404 && credentialOf(request.headers) !== undefined;
    if (isChecked) return undefined;
    return rateLimit.refusalOf(request, reply);
  };

const onlyEncrypted = ['strict-transport-security', 'max-age=31536000'] as const;

async function drain(app: FastifyInstance, connections: Connections, draining: Draining): Promise<void> {
  draining.is = 'closing';
  connections.stopAccepting();
  const abort = setTimeout(() => {
    draining.is = 'refusing';
    connections.abortAll(new Problem('draining'));
  }, abortAfterMs);
  await Promise.race([connections.whenClosed(), delay(closeAfterMs, undefined, { ref: false })]);
  clearTimeout(abort);
  await app.close();
}

function createApp(
  options: HttpOptions,
  clientErrorHandler: (error: Error, socket: Socket) => void,
): FastifyInstance {
  return fastify({
    bodyLimit: options.bodyLimit,
    requestTimeout: options.requestTimeoutMs ?? 15_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: options.headersTimeoutMs ?? 5_000, connectionsCheckingInterval: 1_000 },
    // Our own drain answers, which knows what is in flight.
    return503OnClosing: false,
    forceCloseConnections: true,
    logger: false,
    schemaController: withoutSchemas,
    exposeHeadRoutes: false,
    clientErrorHandler,
    frameworkErrors: (error, request, reply) => {
      const refusal = headerRefusalOf(request, options.localOnly ?? false) ?? httpFailure(error);
      sendProblem(request, reply, correlationOf(request.headers), refusal);
    },
  });
}

function takeJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, body: Buffer, done) => {
    try {
      mustBeJson(headers);
      done(null, parseBody(body));
    } catch (error) {
      done(error as Error);
    }
  });
}
