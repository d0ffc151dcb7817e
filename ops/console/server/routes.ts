import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, closedAccess, operatorIn } from '../../../endpoints/access/access.js';
import { requireObserver } from '../../../endpoints/access/require-observer.js';
import { nonLocalRefusalOf } from '../../../endpoints/access/local-requests.js';
import type { RouteAccess } from '../../../endpoints/access/header-refusal.js';
import {
  type ApiHandler,
  type ApiRequest,
  operatorActions,
  selectedHost,
  expensiveReads,
  readParameters,
  reads,
} from './api-handlers.js';
import { securityHeaders } from '../../../endpoints/http/security-headers.js';
import { contentPolicy, serveFile, type StaticFile } from '../../../endpoints/http/static-file.js';
import { mustSendJson, mustBeSameOrigin } from './csrf-guard.js';
import type { Query } from '../../../endpoints/access/query-parameters.js';
import { mustBeKnownParameters, wholeNumberIn } from './query-parameters.js';
import type { ConsoleSource } from '../model/console-source.js';
import { ConsoleStream } from './console-stream.js';

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
  const { mayLook, mayInquire: mayVerify, mayAct } = accessChecks(access);
  const handlerFor = (door: AccessCheck, answer: ApiHandler, names?: readonly string[]) => {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const asked = apiRequestFrom(request, door(request));
      mustBeKnownParameters(asked.query, names);
      return sendJson(reply, await answer(selectedHost(source, asked.query), asked));
    };
  };
  return {
    add: (app) => {
      const door = { ...ownAccessCheck, mayRead: mayServePage(access) };
      for (const file of files) serveFile(app, file, policy, door);
      // URLs in the page are relative to the folder that contains /console.
      app.get('/console/', (_, reply) => reply.redirect('../console'));
      for (const [path, answer] of Object.entries(reads))
        app.get(`/console/api${path}`, ownAccessCheck, handlerFor(mayLook, answer, readParameters[path]));
      for (const [path, answer] of Object.entries(expensiveReads))
        app.post(`/console/api${path}`, ownAccessCheck, handlerFor(mayVerify, answer));
      for (const [path, answer] of Object.entries(operatorActions))
        app.post(`/console/api${path}`, ownAccessCheck, handlerFor(mayAct, answer));
      app.get('/console/api/hosts', ownAccessCheck, (request, reply) => {
        mayLook(request);
        mustBeKnownParameters(request.query as Query);
        return sendJson(reply, source.hosts());
      });
      app.get('/console/stream', ownAccessCheck, (request, reply) => {
        mayLook(request);
        mustBeKnownParameters(request.query as Query, ['after']);
        streamHost(source, stream, request, reply);
      });
    },
    close: () => stream.close(),
  };
}

/** Returns the caller, or throws the reason of the refusal. */
type AccessCheck = (request: FastifyRequest) => string;

function accessChecks(access: Access): Record<'mayLook' | 'mayInquire' | 'mayAct', AccessCheck> {
  const look = requireObserver(access);
  const mayLook: AccessCheck = (request) => {
    look(request);
    return 'observer';
  };
  const mayPost = (request: FastifyRequest): void => {
    mustBeSameOrigin(request);
    mustSendJson(request);
  };
  return {
    mayLook,
    mayInquire: (request) => {
      mayPost(request);
      return mayLook(request);
    },
    mayAct: (request) => {
      const operator = operatorIn(request, access);
      mayPost(request);
      return operator;
    },
  };
}

function streamHost(
  source: ConsoleSource,
  stream: ConsoleStream,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
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
    // The unread rest is of no use any more.
    end: () => (raw.writableLength > 0 ? raw.destroy() : raw.end()),
  };
  const leave = stream.join(host, client, lastEventIdOf(request));
  raw.once('close', leave);
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

/** If a token is set, the page is open to everyone: it is what asks for the token. */
const mayServePage =
  ({ tokens, localOnly }: Access) =>
  ({ headers }: FastifyRequest): void => {
    const refusal = localOnly && !tokens.areSet ? nonLocalRefusalOf(headers) : undefined;
    if (refusal !== undefined) throw refusal;
  };

const ownAccessCheck = { config: { checksAccess: true } satisfies RouteAccess };

const apiRequestFrom = ({ query, params, body }: FastifyRequest, actor: string): ApiRequest => ({
  query: query as Query,
  params: params as Record<string, string>,
  body,
  actor,
});

const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(value));
