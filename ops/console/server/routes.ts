import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, closedAccess, operatorIn } from '../../../endpoints/access/access.js';
import { mayLookAt } from '../../../endpoints/access/look.js';
import { strayOf } from '../../../endpoints/access/local.js';
import type { DoorMark } from '../../../endpoints/access/stray.js';
import { type Answer, type Asked, deeds, hostIn, inquiries, parameters, reads } from './api.js';
import { contentPolicy, serveFile, type StaticFile } from '../../../endpoints/http/static-file.js';
import { mustBeNoForm, mustBeOurPage } from './guard.js';
import type { Query } from '../../../endpoints/access/query-text.js';
import { mustBeKnown, wholeIn } from './query.js';
import type { ConsoleSource } from '../model/source.js';
import { ConsoleStream } from './stream.js';

interface ConsoleRoutes {
  readonly add: (app: FastifyInstance) => void;
  /** Lets go of everybody who watches. */
  readonly close: () => void;
}

/** `GET /console`, what it reads below `/console/api`, what it does there by POST, and its live news at `/console/stream`. */
export function consoleRoutes(
  source: ConsoleSource,
  files: readonly StaticFile[],
  access: Access = closedAccess,
): ConsoleRoutes {
  const stream = new ConsoleStream();
  const { mayLook, mayInquire, mayAct } = doorsOf(access);
  const answering = (door: Door, answer: Answer, names?: readonly string[]) => {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const asked = askedIn(request, door(request));
      mustBeKnown(asked.query, names);
      return sendJson(reply, await answer(hostIn(source, asked.query), asked));
    };
  };
  return {
    add: (app) => {
      const door = { ...ownDoor, mayRead: mayHavePage(access) };
      for (const file of files) serveFile(app, file, policy, door);
      // Addresses in the page are relative to the folder that /console is in.
      app.get('/console/', (_, reply) => reply.redirect('../console'));
      for (const [path, answer] of Object.entries(reads))
        app.get(`/console/api${path}`, ownDoor, answering(mayLook, answer, parameters[path]));
      for (const [path, answer] of Object.entries(inquiries))
        app.post(`/console/api${path}`, ownDoor, answering(mayInquire, answer));
      for (const [path, answer] of Object.entries(deeds))
        app.post(`/console/api${path}`, ownDoor, answering(mayAct, answer));
      app.get('/console/api/hosts', ownDoor, (request, reply) => {
        mayLook(request);
        mustBeKnown(request.query as Query);
        return sendJson(reply, source.hosts());
      });
      app.get('/console/stream', ownDoor, (request, reply) => {
        mayLook(request);
        mustBeKnown(request.query as Query, ['after']);
        follow(source, stream, request, reply);
      });
    },
    close: () => stream.close(),
  };
}

/** Gives back who comes in, or throws why they may not. */
type Door = (request: FastifyRequest) => string;

function doorsOf(access: Access): Record<'mayLook' | 'mayInquire' | 'mayAct', Door> {
  const look = mayLookAt(access);
  const mayLook: Door = (request) => {
    look(request);
    return 'observer';
  };
  const mayPost = (request: FastifyRequest): void => {
    mustBeOurPage(request);
    mustBeNoForm(request);
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

function follow(
  source: ConsoleSource,
  stream: ConsoleStream,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const host = hostIn(source, request.query as Query);
  const { raw } = reply;
  let begun = false;
  const outlet = {
    write: (text: string) => {
      if (!begun) begin(reply);
      begun = true;
      raw.write(text);
    },
    get bufferedBytes() {
      return raw.writableLength;
    },
    // What it did not read is of no use any more.
    end: () => (raw.writableLength > 0 ? raw.destroy() : raw.end()),
  };
  const leave = stream.join(host, outlet, idOf(request));
  raw.once('close', leave);
}

/** The page names it itself when it comes back after a longer time than the browser would. */
function idOf({ headers, query }: FastifyRequest): string | undefined {
  const after = wholeIn(query as Query, 'after', Number.MAX_SAFE_INTEGER);
  const given = headers['last-event-id'] ?? after?.toString();
  return typeof given === 'string' ? given : undefined;
}

function begin(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
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

/** Where a token is set, the page comes from anywhere: it is what asks for the token. */
const mayHavePage =
  ({ tokens, localOnly }: Access) =>
  ({ headers }: FastifyRequest): void => {
    const stray = localOnly && !tokens.areSet ? strayOf(headers) : undefined;
    if (stray !== undefined) throw stray;
  };

const ownDoor = { config: { hasOwnDoor: true } satisfies DoorMark };

const askedIn = ({ query, params, body }: FastifyRequest, actor: string): Asked => ({
  query: query as Query,
  params: params as Record<string, string>,
  body,
  actor,
});

const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(value));
