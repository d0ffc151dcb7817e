import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { correlationOf } from './correlation.js';
import { httpFailure } from './http-failures.js';
import { mustBeJson, receiveJson } from './read-json-body.js';
import { sendProblem } from './reply.js';

/** Handles a parsed body and its text. */
export type BodyHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
  text: string,
) => unknown;

interface JsonRoute {
  readonly onRequest: readonly onRequestHookHandler[];
  readonly config?: object;
  readonly bodyLimit: number;
  readonly take: BodyHandler;
  /** The application has plugins: their hooks run before and after the handler, which costs time. */
  readonly runsEveryHook: boolean;
}

/** Adds a POST route that takes JSON. */
export function jsonRoute(
  app: FastifyInstance,
  url: string,
  { onRequest, config = {}, bodyLimit, take, runsEveryHook }: JsonRoute,
): void {
  const last = runsEveryHook ? refuseOtherTypes : bodyHook(bodyLimit, take);
  app.post(url, { onRequest: [...onRequest, last], config }, (request, reply) => {
    if (runsEveryHook) void take(request, reply, request.body, textOf(request));
  });
}

/**
 * Reads the body and passes it on, or refuses it. It is the last hook of its route, and the framework does nothing after
 * it: its own body parsing would take longer than everything else it does.
 */
function bodyHook(limit: number, take: BodyHandler) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    receiveJson(request.raw, limit, (error, body, text = '') => {
      if (error === undefined) return void take(request, reply, body, text);
      // The unread rest may be long.
      if (!request.raw.complete) reply.header('connection', 'close');
      sendProblem(request, reply, correlationOf(request), httpFailure(error));
    });
  };
}

/** Whatever parsers the application adds: a form of another site must never become a command. */
const refuseOtherTypes: onRequestHookHandler = ({ headers }, _, done) => {
  mustBeJson(headers);
  done();
};

function textOf({ rawBody }: FastifyRequest): string {
  if (rawBody !== undefined) return rawBody.toString('utf8');
  throw new Problem('invalid-setup', {
    detail: 'The application replaced the parser of application/json; replace it in a plugin of its own.',
  });
}
