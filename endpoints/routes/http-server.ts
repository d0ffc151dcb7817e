import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { log } from '../../runtime/logging/log.js';
import type { SchemaReads } from '../graphql/query-fields.js';
import type { PerspectiveWatches } from '../graphql/perspective-watches.js';
import { graphqlRoutes } from '../graphql/route.js';
import { type EndpointRegistration, mustBeDistinct } from '../registrations.js';
import type { ReadRoute } from '../queries/read-routes.js';
import type { LiveRoutes } from '../live/live-routes.js';
import { landingRoute } from './landing.js';
import { asyncApiRoute, docsRoutes } from './openapi.js';
import { type AgentOptions, mcpRoute } from '../agents/mcp-route.js';
import { type Authentication, guardHook } from '../access/authentication.js';
import type { Access } from '../access/access.js';
import { credentialOf } from '../access/credentials.js';
import { headerRefusalOf } from '../access/header-refusal.js';
import type { OwnRoutes, RouteAccess } from '../route-access.js';
import type { RateLimit } from '../access/rate-limit.js';
import { sessionRoutes } from '../access/session-routes.js';
import { alsoForPages } from '../access/visitor.js';
import { bodyHandlerOf, type CommandRoutePorts } from '../http/command-route.js';
import { Connections } from '../http/connections.js';
import type { CorsOptions } from '../service-definition.js';
import { Cors } from '../http/cors.js';
import { correlationOf } from '../http/correlation.js';
import { brokenRequests, httpFailure } from '../http/http-failures.js';
import { AllowedMethods } from '../http/allowed-methods.js';
import { jsonRoute } from '../http/read-json-body.js';
import { sendAnswer, sendAnswerThroughHooks, sendProblem } from '../http/reply.js';
import type { AnswerObserver } from '../http/answered-request.js';
import { RequestDurations, timeRoutes } from '../http/request-durations.js';
import { ownCorrelationOf } from '../own-routes/own-request-hooks.js';
import { addOwnRoutes } from '../own-routes/own-routes.js';
import { pluginFailure } from '../own-routes/plugin-failure.js';
import { addBesideOwnRoutes } from '../own-routes/route-conflicts.js';
import { commandSender } from '../own-routes/send-command.js';
import { addSecurityHeaders } from '../security-headers.js';
import { Shedding } from '../http/shedding.js';
import { drain, type Draining } from './drain.js';
import { createApp } from './fastify-app.js';

export interface HttpOptions {
  readonly bodyLimit: number;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** How long connections may be silent while it drains; unset: 1.5 s. */
  readonly idleGraceMs?: number | undefined;
  /** The OpenAPI document, as text: adds /openapi.json and /docs. */
  readonly openApi?: string | undefined;
  /** The AsyncAPI document, as text: adds /asyncapi.json. */
  readonly asyncApi?: string | undefined;
  /** The GraphQL schema, as text: adds /graphql. */
  readonly schema?: string | undefined;
  /** GET routes, also on the path of a command. */
  readonly reads?: readonly ReadRoute[];
  /** What resolves the queries of the GraphQL schema. */
  readonly queries?: readonly SchemaReads[];
  /** The tools of agents: adds POST /mcp. */
  readonly agents?: AgentOptions | undefined;
  /** What resolves its subscriptions. */
  readonly subscriptions?: readonly PerspectiveWatches[];
  /** Streams of what changes in them. */
  readonly live?: LiveRoutes;
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
  /** Observes commands that are answered, and every request that is refused. */
  readonly observer?: AnswerObserver | undefined;
  /** Limits what is not limited by identity; unset: off. */
  readonly rateLimit?: RateLimit | undefined;
  /** The routes and plugins of the application. */
  readonly ownRoutes?: OwnRoutes | undefined;
  /** Unset: browsers keep the pages of other sites away. */
  readonly cors?: CorsOptions | undefined;
}

export type RouteAddition = (app: FastifyInstance) => void;

export interface HttpServer {
  readonly app: FastifyInstance;
  /** Requests in flight. */
  readonly active: number;
  /** Whether requests were refused lately, because the host is overloaded. */
  readonly isShedding: boolean;
  /** Whether there were requests lately. */
  readonly isServing: boolean;
  listen(port: number, bind: string): Promise<string>;
  /** Answers what is in flight on every open connection; aborts it after 7 s, and soon after closes what is left. */
  drain(): Promise<void>;
}

export function createHttpServer(
  endpoints: readonly EndpointRegistration[],
  ports: CommandRoutePorts,
  options: HttpOptions,
): HttpServer {
  mustBeDistinct(endpoints);
  const { ownRoutes, bodyLimit, authentication, times = new RequestDurations() } = options;
  const app = createApp(
    { ...options, hasOwnRoutes: ownRoutes !== undefined },
    brokenRequests(() => connections),
  );
  app.decorate('observer', observing(times, options.observer));
  const connections = new Connections(app.server, options.idleGraceMs);
  timeRoutes(app, times);
  const shedding = new Shedding(connections, ({ headers }) => credentialOf(headers));
  app.server.on('connection', () => shedding.accepted());
  const draining: Draining = { is: 'no' };
  const allowed = new AllowedMethods();
  allowed.noteRoutes(app);
  refuseEarly(app, { ...options, draining, allowed, shedding });
  const shared = { connections, shedding, times, bodyLimit, authentication };
  const addOurs = (runsEveryHook: boolean) =>
    addRoutes(app, endpoints, ports, { ...options, ...shared, runsEveryHook, allowed });
  if (ownRoutes === undefined) addOurs(false);
  const addAll = async (own: OwnRoutes): Promise<void> => {
    const { deadlineMs, callerOf } = ports;
    const send = commandSender(endpoints, ports);
    const runsEveryHook = await addOwnRoutes(app, own, { ...shared, deadlineMs, callerOf, send });
    addBesideOwnRoutes(app, () => addOurs(runsEveryHook));
  };
  return {
    app,
    get active() {
      return connections.active;
    },
    get isShedding() {
      return shedding.isShedding;
    },
    get isServing() {
      return shedding.isServing;
    },
    listen: async (port, host) => {
      if (ownRoutes !== undefined) await addAll(ownRoutes);
      const url = await app.listen({ port, host });
      shedding.start();
      return url;
    },
    drain: () => drain(app, connections, draining).finally(() => shedding.stop()),
  };
}

const observing = (times: RequestDurations, other: AnswerObserver | undefined): AnswerObserver => ({
  left: (answered) => {
    times.left(answered);
    other?.left(answered);
  },
});

/** What the routes of a server share. */
interface SharedByRoutes {
  readonly connections: Connections;
  readonly shedding: Shedding;
  readonly times: RequestDurations;
  readonly bodyLimit: number;
  readonly authentication: Authentication | undefined;
  readonly runsEveryHook: boolean;
}

function addRoutes(
  app: FastifyInstance,
  endpoints: readonly EndpointRegistration[],
  ports: CommandRoutePorts,
  options: HttpOptions & SharedByRoutes & { readonly allowed: AllowedMethods },
): void {
  const { schema = '', openApi, asyncApi, development = false, access, allowed } = options;
  for (const registration of endpoints) commandRouteOf(app, registration, ports, options);
  for (const read of options.reads ?? []) read.add(app);
  options.live?.add(app, options);
  mcpRoute(app, { ...options, endpoints, ports });
  allowed.refuseOthers(app);
  graphqlRoutes(app, { ...options, access, schema, endpoints, ports, development });
  if (asyncApi !== undefined) asyncApiRoute(app, asyncApi, access);
  if (access !== undefined) sessionRoutes(app, access);
  for (const add of options.routes ?? []) add(app);
  if (openApi !== undefined) docsRoutes(app, openApi, options);
  if (development) landingRoute(app, { ...options, endpoints });
}

function commandRouteOf(
  app: FastifyInstance,
  registration: EndpointRegistration,
  ports: CommandRoutePorts,
  { connections, shedding, bodyLimit, authentication, runsEveryHook }: SharedByRoutes,
): void {
  const { restRoute: url, command, permission = 'authenticated', acceptsSession } = registration;
  if (url === null) return;
  const routeLimit = shedding.routeLimit();
  const known = acceptsSession === true ? authentication && alsoForPages(authentication) : authentication;
  const guards = known === undefined ? [] : [guardHook(known, permission, { type: command.name })];
  const send = runsEveryHook ? sendAnswerThroughHooks : sendAnswer;
  jsonRoute(app, url, {
    onRequest: [shedding.guard(routeLimit), ...guards],
    config: { isTimed: true, command: command.name },
    bodyLimit,
    runsEveryHook,
    handle: bodyHandlerOf(registration, ports, { connections, routeLimit, send }),
  });
}

interface Refusing {
  readonly draining: Draining;
  readonly localOnly?: boolean;
  readonly access?: Access;
  readonly authentication?: Authentication | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly allowed: AllowedMethods;
  readonly shedding: Shedding;
  readonly ownRoutes?: OwnRoutes | undefined;
  readonly cors?: CorsOptions | undefined;
}

/** Refuses before the body is read: an unknown route, or a host without time. */
function refuseEarly(app: FastifyInstance, options: Refusing): void {
  const { draining, localOnly = false, access, authentication, rateLimit, allowed, shedding } = options;
  const { proxies } = access ?? {};
  const limit = rateLimit && addressLimit(rateLimit, authentication !== undefined);
  const cors = options.cors && new Cors(options.cors, allowed);
  const refusalOf = (request: FastifyRequest, isPreflight: boolean): Problem | undefined => {
    if (draining.is === 'refusing') return new Problem('draining');
    const atDoor = headerRefusalOf(request, localOnly);
    if (atDoor !== undefined) return atDoor;
    if (!request.is404 || isPreflight) return undefined;
    return allowed.refusalOf(request.url) ?? new Problem('not-found', { detail: noRoute });
  };
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown): void => {
    const correlation = ownCorrelationOf(request) ?? correlationOf(request);
    sendProblem(request, reply, correlation, error);
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (draining.is !== 'no') reply.header('connection', 'close');
    if (proxies?.areSet === true && proxies.isEncrypted(request)) reply.header(...onlyEncrypted);
    const isPreflight = cors?.answer(request, reply) === true;
    const refusal = limit?.(request, reply) ?? refusalOf(request, isPreflight);
    if (refusal !== undefined) refuse(request, reply, refusal);
    else if (isPreflight) reply.code(204).send();
    else shedding.admit(request, reply, done);
  });
  app.addHook('onSend', (_, reply, payload, done) => {
    addSecurityHeaders(reply);
    done(null, payload);
  });
  app.setErrorHandler((error, request, reply) => {
    if (reply.raw.headersSent) return cutOff(request, reply, error);
    const failure = httpFailure(error);
    refuse(request, reply, options.ownRoutes === undefined ? failure : pluginFailure(failure));
  });
  // The hook above refuses unknown paths; a plugin may find out later that it has nothing for a path.
  app.setNotFoundHandler((request, reply) => refuse(request, reply, new Problem('not-found')));
}

/** What has a route and no row says so itself. */
const noRoute = 'The service has no route with this path.';

/** The answer has begun and cannot become a problem; the client must not take what it has for the whole. */
function cutOff({ method, routeOptions }: FastifyRequest, reply: FastifyReply, err: unknown): void {
  log.error({ err, method, route: routeOptions.url }, 'a route failed after its answer had begun');
  reply.hijack();
  reply.raw.destroy();
}

/** A caller with credentials is limited where they are checked, by identity. */
const addressLimit =
  (rateLimit: RateLimit, authenticates: boolean) =>
  (request: FastifyRequest, reply: FastifyReply): Problem | undefined => {
    const { isProbe, ignoresCredentials } = (request.routeOptions.config ?? {}) as RouteAccess;
    if (isProbe === true) return undefined;
    const checksCredentials = authenticates && !request.is404 && ignoresCredentials !== true;
    if (checksCredentials && credentialOf(request.headers) !== undefined) return undefined;
    return rateLimit.refusalOf(request, reply);
  };

const onlyEncrypted = ['strict-transport-security', 'max-age=31536000'] as const;
