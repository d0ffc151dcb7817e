import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { typeNameOf } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import type { LiveModels } from '../../runtime/live/live-models.js';
import { type Authentication, guardHook } from '../access/authentication.js';
import type { Connections } from '../http/connections.js';
import { type Correlation, correlationOf } from '../http/correlation.js';
import { sendProblem } from '../http/reply.js';
import { observeRefusal, type RequestDurations } from '../http/request-durations.js';
import { securityHeaders } from '../security-headers.js';
import { checkAgain } from './check-again.js';
import { liveKeyOf, liveQueryOf } from './live-query.js';
import type { LiveStreams } from './live-streams.js';
import { WatchedPerspective } from './watched-perspective.js';

interface LivePorts {
  readonly models: LiveModels;
  readonly streams: LiveStreams;
  readonly authentication?: Authentication | undefined;
  /** Whether an event type has fields that must be hidden. */
  isSensitive(type: string): boolean;
}

/** What the server shares with the routes. */
interface ServerParts {
  readonly connections: Connections;
  readonly times: RequestDurations;
}

/** `GET <route>/live` and `GET <route>/{id}/live` of every perspective with a route. */
export interface LiveRoutes {
  add(app: FastifyInstance, server: ServerParts): void;
}

export const liveRoutes = (perspectives: readonly Perspective<unknown>[], ports: LivePorts): LiveRoutes => ({
  add: (app, server) => {
    for (const perspective of perspectives)
      if (perspective.route !== undefined)
        addRoutes(app, perspective.route, perspective, { ...ports, ...server });
  },
});

function addRoutes(
  app: FastifyInstance,
  route: string,
  perspective: Perspective<unknown>,
  ports: LivePorts & ServerParts,
): void {
  const { authentication, times } = ports;
  const isSensitive = perspective.events.some((type) => ports.isSensitive(typeNameOf(type)));
  const watched = new WatchedPerspective(perspective, authentication?.guard, isSensitive);
  const { permission = 'authenticated', name } = perspective;
  const onRefused = (request: FastifyRequest, status: number) => observeRefusal(times, request, status);
  const guards =
    authentication === undefined
      ? []
      : [guardHook(authentication, permission, { type: name }, { filter: watched.scopeFlags, onRefused })];
  // How long a stream is open is no duration of a request.
  const options = { exposeHeadRoute: false, onRequest: guards, config: { isTimed: true } };
  for (const url of [`${route}/live`, `${route}/:id/live`]) {
    // Another perspective has this route.
    if (app.hasRoute({ method: 'GET', url })) continue;
    const note = times.of('GET', url);
    app.get(url, options, (request, reply) => {
      open(request, reply, watched, ports);
      note(reply.raw.headersSent ? 200 : reply.statusCode, reply.elapsedTime / 1_000);
    });
  }
}

function open(
  request: FastifyRequest,
  reply: FastifyReply,
  watched: WatchedPerspective,
  { models, streams, authentication, connections }: LivePorts & ServerParts,
): void {
  const correlation = correlationOf(request);
  const { id } = request.params as { readonly id?: string };
  try {
    const key = id === undefined ? undefined : liveKeyOf(id);
    const columns = key === undefined ? watched.rules.table.columns : [];
    const { filters, after } = liveQueryOf(request.url, request.headers, columns);
    const check = checkAgain(authentication, watched.perspective, request);
    const stream = streams.open(request, reply.raw, check);
    const watcher = watched.watcher(request.identity, { key, filters, after }, (message) =>
      stream.send(message),
    );
    const watching = models.watch(watched.rules, watcher);
    reply.hijack();
    connections.watches(request.raw.socket);
    stream.start(headersOf(reply, correlation), watching);
  } catch (error) {
    sendProblem(request, reply, correlation, error);
  }
}

/** What hooks have set, such as the headers of CORS, is sent too. */
const headersOf = (
  reply: FastifyReply,
  { correlationId, traceparent }: Correlation,
): OutgoingHttpHeaders => ({
  ...securityHeaders,
  ...(reply.getHeaders() as OutgoingHttpHeaders),
  'x-correlation-id': correlationId,
  traceparent,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
});
