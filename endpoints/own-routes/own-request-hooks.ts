import { finished } from 'node:stream';
import type { FastifyReply, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { Deadlines } from '../../runtime/lang/deadlines.js';
import type { Connections } from '../http/connections.js';
import { type Correlation, tracedCorrelationOf } from '../http/correlation.js';
import { sendProblem } from '../http/reply.js';
import type { SendCommand } from './send-command.js';

/** One request of an own route, from its guard to its answer. */
interface OwnRequest {
  readonly correlation: Correlation;
  readonly cancellation: Cancellation;
  readonly send: SendCommand;
}

const known = new WeakMap<FastifyRequest, OwnRequest>();

export function ownRequestOf(request: FastifyRequest): OwnRequest {
  const own = known.get(request);
  if (own !== undefined) return own;
  throw new Problem('invalid-setup', {
    detail: 'Commands can be dispatched in the handlers of own routes, not in hooks of other routes.',
  });
}

/** The correlation of a request, if its route is one of the application. */
export const ownCorrelationOf = (request: FastifyRequest): Correlation | undefined =>
  known.get(request)?.correlation;

interface OwnRequestHooks {
  readonly begin: onRequestHookHandler;
  readonly answering: onSendHookHandler;
}

/**
 * Hooks that give an own route what a command has: correlation, a deadline, cancellation when the client disconnects,
 * and a drain that waits for it.
 */
export function ownRequestHooks(
  connections: Connections,
  deadlineMs: number,
  send: SendCommand,
): OwnRequestHooks {
  const deadlines = new Deadlines(deadlineMs);
  const lastAnswers = new WeakMap<FastifyRequest, () => boolean>();
  const begin: onRequestHookHandler = (request, reply, done) => {
    const correlation = tracedCorrelationOf(request);
    const cancellation = new Cancellation();
    const late = new Cancellation();
    const deadline = deadlines.begin(late);
    const requests = connections.entered(request.raw.socket, cancellation);
    // An answer that has begun may take as long as it needs.
    late.onAbort(() => reply.raw.headersSent || cancellation.abort(late.reason));
    cancellation.onAbort(() => answerAborted(request, reply, correlation, cancellation.reason));
    whenEnded(request, reply, () => {
      deadlines.end(deadline);
      connections.left(requests, cancellation);
      correlation.span?.answered(reply.raw.statusCode);
    });
    known.set(request, { correlation, cancellation, send });
    lastAnswers.set(request, () => connections.isLastAnswer(requests, cancellation));
    Object.defineProperty(request, 'signal', { get: () => cancellation.signal });
    reply.header('x-correlation-id', correlation.correlationId);
    reply.header('traceparent', correlation.traceparent);
    done();
  };
  const answering: onSendHookHandler = (request, reply, payload, done) => {
    if (lastAnswers.get(request)?.() === true) reply.header('connection', 'close');
    done(null, payload);
  };
  return { begin, answering };
}

/** Calls back once. Node reports no end of an answer that waits behind another one when their connection closes. */
function whenEnded({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply, then: () => void): void {
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    socket.off('close', end);
    then();
  };
  finished(raw, end);
  socket.once('close', end);
}

/** The handler may never answer; what it sends later is dropped. */
function answerAborted(
  request: FastifyRequest,
  reply: FastifyReply,
  correlation: Correlation,
  reason: unknown,
): void {
  if (!reply.sent && !reply.raw.headersSent) sendProblem(request, reply, correlation, reason);
}
