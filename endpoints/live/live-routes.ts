import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { typeNameOf } from '../../contracts/message.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import { guardHook } from '../access/authentication.js';
import type { Connections } from '../http/connections.js';
import { correlationOf } from '../http/correlation.js';
import { eventStream, preferred } from '../http/media-types.js';
import { sendProblem } from '../http/reply.js';
import type { RequestDurations } from '../http/request-durations.js';
import { liveKeyOf, liveQueryOf } from './live-query.js';
import { openStream, type StreamPorts } from './open-stream.js';
import { WatchedPerspective } from './watched-perspective.js';

interface LivePorts extends StreamPorts {
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

export const liveRoutes = (perspectives: readonly AnyPerspective[], ports: LivePorts): LiveRoutes => ({
  add: (app, server) => {
    for (const perspective of perspectives)
      if (perspective.route !== undefined)
        addRoutes(app, perspective.route, perspective, { ...ports, ...server });
  },
});

function addRoutes(
  app: FastifyInstance,
  route: string,
  perspective: AnyPerspective,
  ports: LivePorts & ServerParts,
): void {
  const { authentication } = ports;
  const isSensitive = perspective.events.some((type) => ports.isSensitive(typeNameOf(type)));
  const watched = new WatchedPerspective(perspective, authentication?.guard, isSensitive);
  const { permission = 'authenticated', name } = perspective;
  const guards =
    authentication === undefined
      ? []
      : [guardHook(authentication, permission, { type: name }, { filter: watched.scopeFlags })];
  const options = { exposeHeadRoute: false, onRequest: guards };
  for (const url of [`${route}/live`, `${route}/:id/live`]) {
    // Another perspective has this route.
    if (app.hasRoute({ method: 'GET', url })) continue;
    app.get(url, options, (request, reply) => open(request, reply, watched, { ...ports, url }));
  }
}

/** A client that reads the row with the id `live` would wait forever. */
function mustAcceptStream({ headers }: FastifyRequest): void {
  if (preferred(headers, [eventStream]) !== undefined) return;
  throw new Problem('not-acceptable', {
    detail: `A live stream is sent as ${eventStream}: accept that type.`,
  });
}

function open(
  request: FastifyRequest,
  reply: FastifyReply,
  watched: WatchedPerspective,
  ports: LivePorts & ServerParts & { readonly url: string },
): void {
  const correlation = correlationOf(request);
  const { connections, times, url } = ports;
  const { id } = request.params as { readonly id?: string };
  try {
    mustAcceptStream(request);
    const key = id === undefined ? undefined : liveKeyOf(id);
    const columns = key === undefined ? watched.rules.table.columns : [];
    const asked = { key, ...liveQueryOf(request.url, request.headers, columns) };
    openStream(ports, { request, reply, correlation, connections }, watched, asked);
    times.answersWithStream('GET', url, reply);
  } catch (error) {
    sendProblem(request, reply, correlation, error);
  }
}
