import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Asked, deeds, hostIn, parameters, reads } from '../console/api.js';
import { mustBeJson, mustBeOurPage } from '../console/guard.js';
import { mustBeKnown, type Query, textIn, wholeIn } from '../console/query.js';
import type { ConsoleSource } from '../console/source.js';
import { ConsoleStream } from '../console/stream.js';
import { refusalOf } from '../inspection/access.js';

/** A built file of the page, by its path below the host. */
export interface ConsoleFile {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

export interface ConsoleAccess {
  /** Who brings it may look from another machine. */
  readonly token?: string | undefined;
}

export interface ConsoleRoutes {
  readonly add: (app: FastifyInstance) => void;
  /** Lets go of everybody who watches. */
  readonly close: () => void;
}

/** `GET /console`, what it reads below `/console/api`, what it does there by POST, and its live news at `/console/stream`. */
export function consoleRoutes(
  source: ConsoleSource,
  files: readonly ConsoleFile[],
  { token }: ConsoleAccess = {},
): ConsoleRoutes {
  const stream = new ConsoleStream();
  const mayLook = ({ headers, socket, query }: FastifyRequest): void => {
    const given = textIn(query as Query, 't') ?? null;
    const refusal = refusalOf({ remoteAddress: socket.remoteAddress, headers, token: given }, token);
    if (refusal !== undefined) throw refusal;
  };
  return {
    add: (app) => {
      for (const file of files) serve(app, file);
      // Addresses in the page are relative to the folder that /console is in.
      app.get('/console/', (_, reply) => reply.redirect('../console'));
      for (const [path, answer] of Object.entries(reads)) {
        app.get(`/console/api${path}`, async (request, reply) => {
          mayLook(request);
          const asked = askedIn(request);
          mustBeKnown(asked.query, parameters[path]);
          return sendJson(reply, await answer(hostIn(source, asked.query), asked));
        });
      }
      app.get('/console/api/hosts', (request, reply) => {
        mayLook(request);
        mustBeKnown(request.query as Query);
        return sendJson(reply, source.hosts());
      });
      for (const [path, answer] of Object.entries(deeds)) {
        app.post(`/console/api${path}`, async (request, reply) => {
          for (const must of [mayLook, mustBeOurPage, mustBeJson]) must(request);
          const asked = askedIn(request);
          mustBeKnown(asked.query);
          return sendJson(reply, await answer(hostIn(source, asked.query), asked));
        });
      }
      app.get('/console/stream', (request, reply) => {
        mayLook(request);
        mustBeKnown(request.query as Query, ['after']);
        follow(source, stream, request, reply);
      });
    },
    close: () => stream.close(),
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
    'x-accel-buffering': 'no',
    connection: 'close',
  });
}

const policy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function serve(app: FastifyInstance, { path, type, content }: ConsoleFile): void {
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  const headers = {
    etag,
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  app.get(path, { exposeHeadRoute: true }, (request, reply) => {
    reply.headers(headers);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(type).send(content);
  });
}

const askedIn = ({ query, params, body }: FastifyRequest): Asked => ({
  query: query as Query,
  params: params as Record<string, string>,
  body,
  actor: 'console',
});

const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(value));
