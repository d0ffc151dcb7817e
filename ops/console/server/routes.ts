import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUnstorable } from '../../../contracts/codec-scalars.js';
import { type Access, closedAccess } from '../../../endpoints/access/access.js';
import { whileAllowed } from '../../../endpoints/access/open-visit.js';
import { pageHook, postHook, visitIn } from '../../../endpoints/access/page-hook.js';
import { nonLocalRefusalOf } from '../../../endpoints/access/local-requests.js';
import type { RouteAccess } from '../../../endpoints/route-access.js';
import { operatorActions, selectedHost, expensiveReads, readParameters, reads } from './api-handlers.js';
import { securityHeaders } from '../../../endpoints/security-headers.js';
import { mustHaveOwnConnection } from '../../../endpoints/http/connections.js';
import { contentPolicy, serveFile, type StaticFile } from '../../../endpoints/http/static-file.js';
import type { Query } from '../../../endpoints/access/query-parameters.js';
import type { ApiHandler, ApiRequest } from './api-handler.js';
import { notFound } from './host-parts.js';
import { mustBeKnownParameters, wholeNumberIn } from './query-parameters.js';
import type { ConsoleSource } from '../model/console-source.js';
import { ConsoleStream } from './console-stream.js';
import type { StreamClient } from './host-watch.js';

interface ConsoleRoutes {
  readonly add: (app: FastifyInstance) => void;
  /** Closes the connections of all watchers. */
  readonly close: () => void;
}

/** `GET /console`, its reads and actions below `/console/api`, and its live updates at `/console/stream`. */
export function consoleRoutes(
  source: ConsoleSource,
  files: readonly StaticFile[],
  access: Access = closedAccess,
): ConsoleRoutes {
  const stream = new ConsoleStream();
  const looking = { ...ownAccessCheck, onRequest: [pageHook(access, resource)] };
  const inquiring = { ...ownAccessCheck, onRequest: [postHook, pageHook(access, resource)] };
  const acting = { ...ownAccessCheck, onRequest: [pageHook(access, resource, 'operate'), postHook] };
  const handlerFor = (answer: ApiHandler, names?: readonly string[]) => {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const asked = apiRequestFrom(request);
      mustBeKnownParameters(asked.query, names);
      return sendJson(reply, await answer(selectedHost(source, asked.query), asked));
    };
  };
  return {
    add: (app) => {
      const door = access.authentication === undefined ? openPage(access) : looking;
      for (const file of files) serveFile(app, file, policy, door);
      // URLs in the page are relative to the folder that contains /console.
      app.get('/console/', (_, reply) => reply.redirect('../console'));
      for (const [path, answer] of Object.entries(reads))
        app.get(`/console/api${path}`, looking, handlerFor(answer, readParameters[path]));
      for (const [path, answer] of Object.entries(expensiveReads))
        app.post(`/console/api${path}`, inquiring, handlerFor(answer));
      for (const [path, answer] of Object.entries(operatorActions))
        app.post(`/console/api${path}`, acting, handlerFor(answer));
      app.get('/console/api/hosts', looking, (request, reply) => {
        mustBeKnownParameters(request.query as Query);
        return sendJson(reply, source.hosts());
      });
      app.get('/console/stream', looking, (request, reply) => {
        mustBeKnownParameters(request.query as Query, ['after']);
        const client = streamHost(source, stream, request, reply);
        const stop = whileAllowed(visitIn(request), access, resource, () => client.end());
        reply.raw.once('close', stop);
      });
    },
    close: () => stream.close(),
  };
}

const resource = { type: 'console' };

function streamHost(
  source: ConsoleSource,
  stream: ConsoleStream,
  request: FastifyRequest,
  reply: FastifyReply,
): StreamClient {
  mustHaveOwnConnection(reply);
  const host = selectedHost(source, request.query as Query);
  const { raw } = reply;
  let begun = false;
  const client = {
    write: (text: string) => {
      if (!begun) sendStreamHead(reply);
      begun = true;
      raw.write(text);
    },
    get bufferedBytes() {
      return raw.writableLength;
    },
    // The unread rest is of no use anymore.
    end: () => (raw.writableLength > 0 ? raw.destroy() : raw.end()),
  };
  const leave = stream.join(host, client, lastEventIdOf(request));
  raw.once('close', leave);
  return client;
}

/** The page sends it itself when it reconnects later than the browser would. */
function lastEventIdOf({ headers, query }: FastifyRequest): string | undefined {
  const after = wholeNumberIn(query as Query, 'after', Number.MAX_SAFE_INTEGER);
  const given = headers['last-event-id'] ?? after?.toString();
  return typeof given === 'string' ? given : undefined;
}

function sendStreamHead(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    ...securityHeaders,
    'x-accel-buffering': 'no',
    connection: 'close',
  });
}

const policy = contentPolicy(
  "default-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "object-src 'none'",
);

/** Without authentication, a set token opens the page to everyone: it is what asks for the token. */
const openPage = ({ tokens, localOnly }: Access) => ({
  ...ownAccessCheck,
  mayRead: ({ headers }: FastifyRequest): void => {
    const refusal = localOnly && !tokens.areSet ? nonLocalRefusalOf(headers) : undefined;
    if (refusal !== undefined) throw refusal;
  },
});

const ownAccessCheck = { config: { checksAccess: true } satisfies RouteAccess };

function apiRequestFrom({ query, params: given, body, visitor }: FastifyRequest): ApiRequest {
  const params = given as Record<string, string>;
  if (Object.values(params).some(isUnstorable)) throw notFound('A name has no such character.');
  return { query: query as Query, params, body, actor: visitor?.actor ?? 'observer' };
}

const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(value));
