import type { FastifyReply, FastifyRequest } from 'fastify';
import { receiveJson } from './read-json-body.js';
import { correlationOf } from './correlation.js';
import { httpFailure } from './http-failures.js';
import { sendProblem } from './reply.js';

/** Handles a parsed body and its text. */
export type BodyHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
  text: string,
) => unknown;

/**
 * A hook that reads the body and passes it on, or refuses it. It is the last hook of its route: the framework's own
 * body parsing would take longer than everything else it does.
 */
export function jsonBodyHook(limit: number, take: BodyHandler, refused?: (status: number) => void) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    receiveJson(request.raw, limit, (error, body, text = '') => {
      if (error === undefined) return void take(request, reply, body, text);
      // The unread rest may be long.
      if (!request.raw.complete) reply.header('connection', 'close');
      sendProblem(request, reply, correlationOf(request), httpFailure(error));
      refused?.(reply.statusCode);
    });
  };
}
