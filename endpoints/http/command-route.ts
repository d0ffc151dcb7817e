import { performance } from 'node:perf_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeBody } from '../../contracts/codec.js';
import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import { Cancellation } from '../../runtime/cancellation.js';
import { Deadlines } from '../../runtime/deadlines.js';
import { RequestContext } from '../../runtime/request-context.js';
import { type Answer, checkIdempotencyKey } from '../idempotent-answer.js';
import type { EndpointRegistration } from '../registry.js';
import {
  type EndpointPorts,
  type Invocation,
  problemOfEnd,
  runEndpoint,
  runEndpointOnce,
} from '../run-endpoint.js';
import { writtenIn } from './body.js';
import type { Connections } from './connections.js';
import { tracedCorrelationOf } from './correlation.js';
import { waitOf } from './preference.js';
import type { NoteAnswer } from './request-times.js';
import { sendAnswer, sendProblem } from './reply.js';
import type { Gate } from './shedding.js';

export interface CommandRoutePorts extends EndpointPorts {
  readonly deadlineMs: number;
  /** Resolves when every perspective has seen what was committed up to this position. */
  readonly caughtUp?: (position: Long, signal: AbortSignal) => Promise<void>;
}

/** POST: body → command → lifecycle → result, and every failure → problem+json. */
export function commandRoute(
  registration: EndpointRegistration,
  ports: CommandRoutePorts,
  connections: Connections,
  gate: Gate,
  note: NoteAnswer,
) {
  const deadlines = new Deadlines(ports.deadlineMs);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const correlation = tracedCorrelationOf(request);
    const cancellation = new Cancellation();
    deadlines.begin(cancellation);
    const { socket } = request.raw;
    const ready = () =>
      connections.endsWith(socket, cancellation) ? reply.header('connection', 'close') : reply;
    connections.entered(socket, cancellation);
    const enteredAt = gate.enter();
    let answeredAt: number | undefined;
    let worked = false;
    try {
      const decoded: unknown = decodeBody(registration.decode, request.body, writtenIn(request.body));
      const context = new RequestContext({
        transport: 'rest',
        cancellation,
        messageId: correlation.messageId,
        correlationId: correlation.correlationId,
        traceparent: correlation.traceparent,
        span: correlation.span,
      });
      const wait = waitOf(request.headers['prefer']);
      const answered = await answer({ registration, context, decoded }, ports, request);
      worked = !answered.replayed;
      answeredAt = wait === undefined ? undefined : performance.now();
      const waited = wait !== undefined && (await waits(context, wait, ports));
      sendAnswer(ready(), correlation, waited ? { ...answered, applied: `wait=${wait}` } : answered);
    } catch (error) {
      sendProblem(request, ready(), correlation, error);
    } finally {
      deadlines.end(cancellation);
      connections.left(socket, cancellation);
      gate.leave(enteredAt, worked, answeredAt);
      const { statusCode } = reply.raw;
      note(statusCode, (performance.now() - enteredAt) / 1000);
      correlation.span?.answered(statusCode);
    }
  };
}

/** The command has happened: who waits in vain is answered all the same, only without `Preference-Applied`. */
async function waits(
  { committedPosition }: RequestContext,
  seconds: number,
  { caughtUp }: CommandRoutePorts,
): Promise<boolean> {
  if (caughtUp === undefined || committedPosition === undefined) return false;
  try {
    await caughtUp(committedPosition, AbortSignal.timeout(seconds * 1000));
    return true;
  } catch {
    return false;
  }
}

async function answer(
  invocation: Invocation,
  ports: CommandRoutePorts,
  request: FastifyRequest,
): Promise<Answer> {
  const header = request.headers['idempotency-key'];
  if (header !== undefined) {
    const key = checkIdempotencyKey(String(header));
    return runEndpointOnce(invocation, ports, { key, instance: request.url });
  }
  const end = await runEndpoint(invocation);
  if (!('result' in end)) throw problemOfEnd(end);
  const body = encoded(invocation, end.result);
  return { status: body === null ? 204 : 200, body, replayed: false };
}

/** A result that has no JSON is found out too late: what the command did is done. */
function encoded({ registration }: Invocation, result: unknown): string | null {
  try {
    return registration.encode(result);
  } catch (cause) {
    throw new Problem('unexpected', { extensions: { committed: true }, cause });
  }
}
