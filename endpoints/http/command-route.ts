import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeBody } from '../../contracts/codec.js';
import type { IdempotencyGate } from '../../contracts/idempotency.js';
import type { Problem } from '../../contracts/problems.js';
import type { UnitStore } from '../../contracts/unit.js';
import { Cancellation } from '../../runtime/cancellation.js';
import { RequestContext } from '../../runtime/request-context.js';
import { type Answer, answerOnce, checkIdempotencyKey } from '../idempotent-answer.js';
import type { Inspect, LifecycleEnd } from '../lifecycle/lifecycle.js';
import { afterHookFailed, problemBody, problemOf } from '../problem.js';
import type { EndpointRegistration } from '../registry.js';
import type { Connections } from './connections.js';
import { correlationOf } from './correlation.js';
import { sendAnswer, sendProblem } from './reply.js';

export interface CommandRoutePorts {
  readonly gate: IdempotencyGate;
  readonly store: UnitStore;
  readonly deadlineMs: number;
  /** Tells whether this request is inspected, and by whom. */
  readonly sample?: () => Inspect | undefined;
}

/** POST: body → command → lifecycle → result, and every failure → problem+json. */
export function commandRoute(
  registration: EndpointRegistration,
  ports: CommandRoutePorts,
  connections: Connections,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const correlation = correlationOf(request.headers);
    const cancellation = new Cancellation();
    cancellation.after(ports.deadlineMs);
    const { socket } = request.raw;
    connections.entered(socket, cancellation);
    try {
      const decoded: unknown = decodeBody(registration.decode, request.body);
      const context = new RequestContext({ transport: 'rest', cancellation, ...correlation });
      sendAnswer(reply, correlation, await answer(registration, ports, request, context, decoded));
    } catch (error) {
      sendProblem(request, reply, correlation, error);
    } finally {
      cancellation.end();
      connections.left(socket);
    }
  };
}

async function answer(
  registration: EndpointRegistration,
  ports: CommandRoutePorts,
  request: FastifyRequest,
  context: RequestContext,
  decoded: unknown,
): Promise<Answer> {
  const run = () => runEndpoint(registration, context, decoded, ports.sample?.());
  const header = request.headers['idempotency-key'];
  if (header === undefined) {
    const end = await run();
    if (!('result' in end)) throw problemOfEnd(end);
    const body = registration.encode(end.result);
    return { status: body === null ? 204 : 200, body, replayed: false };
  }
  return answerOnce(ports.gate, ports.store, {
    key: checkIdempotencyKey(String(header)),
    commandType: registration.command.name,
    decoded,
    context,
    encode: (result) => registration.encode(result),
    refuse: (problem) => problemBody(problem, request.url, context.correlationId),
    run,
    problemOf: problemOfEnd,
  });
}

function runEndpoint(
  registration: EndpointRegistration,
  context: RequestContext,
  decoded: unknown,
  inspect?: Inspect,
) {
  const what = registration.takes === 'command' ? { command: decoded as object } : { request: decoded };
  return registration.endpoint.run(what, context, inspect);
}

function problemOfEnd(end: LifecycleEnd<unknown> & { error: unknown }): Problem {
  return 'in' in end && end.in === 'after' ? afterHookFailed(end.error) : problemOf(end.error);
}
