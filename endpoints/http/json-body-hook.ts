import type { FastifyReply, FastifyRequest } from 'fastify';
import { receiveJson } from './body.js';
import { correlationOf } from './correlation.js';
import { httpFailure } from './http-failures.js';
import { sendProblem } from './reply.js';

/** What takes a body, and the text it was read from. */
type BodyHandler = (request: FastifyRequest, reply: FastifyReply, body: unknown, text: string) => unknown;

/**
 * A hook that reads the body and hands it on, or answers that it cannot be taken. It is the last one of its route: the
 * framework reads no body, which would take it longer than everything else it does.
 */
export function jsonBodyHook(limit: number, take: BodyHandler, refused?: (status: number) => void) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    receiveJson(request.raw, limit, (error, body, text = '') => {
      if (error === undefined) return void take(request, reply, body, text);
      // The rest of it may be long.
      if (!request.raw.complete) reply.header('connection', 'close');
      sendProblem(request, reply, correlationOf(request.headers), httpFailure(error));
      refused?.(reply.statusCode);
    });
  };
}
