import { performance } from 'node:perf_hooks';
import type { FastifyRequest } from 'fastify';
import { decodeBody } from '../../contracts/codec.js';
import { Problem } from '../../contracts/problems.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Long } from '../../contracts/scalars.js';
import { writtenIn } from '../../contracts/number-source-text.js';
import { Cancellation } from '../../runtime/cancellation.js';
import { Deadlines } from '../../runtime/deadlines.js';
import { type Caller, RequestContext } from '../../runtime/request-context.js';
import { withoutToken } from './redact-url-credentials.js';
import { decodeGuarded } from '../decode-guard.js';
import type { Answer } from '../idempotent-answer.js';
import type { LifecycleEnd } from '../lifecycle/lifecycle.js';
import type { EndpointRegistration } from '../registrations.js';
import {
  type EndpointPorts,
  type Invocation,
  problemOfEnd,
  runEndpoint,
  runEndpointOnce,
} from '../run-endpoint.js';
import type { Connections } from './connections.js';
import { type Correlation, tracedCorrelationOf } from './correlation.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { waitOf } from './prefer-wait.js';
import type { BodyHandler } from './json-body-hook.js';
import type { ObserveAnswer } from './request-durations.js';
import { type SendAnswer, sendProblem } from './reply.js';
import type { Gate } from './shedding.js';
import { observeReplayed } from './unstarted-requests.js';

export interface CommandRoutePorts extends EndpointPorts {
  readonly deadlineMs: number;
  /** For the commands of own routes. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Who sent a request, for its hooks and its receptor. */
  readonly callerOf?: (request: FastifyRequest) => Caller;
  /** Resolves when every perspective has seen what was committed up to this position. */
  readonly caughtUp?: (position: Long, signal: AbortSignal, from: Long) => Promise<unknown>;
}

/** What a route shares with its server. */
interface CommandRouteOptions {
  readonly connections: Connections;
  readonly gate: Gate;
  readonly note: ObserveAnswer;
  readonly send: SendAnswer;
}

/** POST: body → command → lifecycle → result, and every failure → problem+json. */
export function answerCommand(
  registration: EndpointRegistration,
  ports: CommandRoutePorts,
  { connections, gate, note, send }: CommandRouteOptions,
): BodyHandler {
  const deadlines = new Deadlines(ports.deadlineMs);
  return async (request, reply, body, text): Promise<void> => {
    const correlation = tracedCorrelationOf(request);
    const cancellation = new Cancellation();
    const enteredAt = gate.enter();
    const deadline = deadlines.begin(cancellation, enteredAt);
    const requests = connections.entered(request.raw.socket, cancellation);
    let answeredAt: number | undefined;
    let worked = false;
    let context: RequestContext | undefined;
    const ready = () =>
      connections.isLastAnswer(requests, cancellation) ? reply.header('connection', 'close') : reply;
    try {
      const caller = ports.callerOf?.(request);
      const decoded: unknown = decodeGuarded(ports.guard, registration.command.name, caller, () =>
        decodeBody(registration.decode, body, writtenIn(text)),
      );
      const { headers } = request;
      context = contextOf(correlation, cancellation, caller);
      const wait = waitOf(headers);
      const invocation = { registration, context, decoded };
      const key = idempotencyKeyOf(headers);
      const answered =
        key === undefined
          ? answerOf(invocation, await runEndpoint(invocation))
          : await runEndpointOnce(invocation, ports, { key, instance: withoutToken(request.url) });
      worked = !answered.replayed;
      if (!worked && !context.inLifecycle) observeReplayed(request, correlation, answered.status);
      answeredAt = wait === undefined ? undefined : performance.now();
      const sent =
        wait === undefined ? answered : { ...answered, ...(await waitForReadModels(context, wait, ports)) };
      send(ready(), correlation, sent);
    } catch (error) {
      sendProblem(request, ready(), correlation, error, context?.inLifecycle);
    } finally {
      const now = performance.now();
      deadlines.end(deadline);
      connections.left(requests, cancellation);
      gate.leave(enteredAt, worked, answeredAt ?? now);
      const { statusCode } = reply.raw;
      note(statusCode, (now - enteredAt) / 1000);
      correlation.span?.answered(statusCode);
    }
  };
}

const contextOf = (
  { messageId, correlationId, traceparent, tracestate, span }: Correlation,
  cancellation: Cancellation,
  caller: Caller | undefined,
): RequestContext =>
  new RequestContext({
    transport: 'rest',
    cancellation,
    messageId,
    correlationId,
    traceparent,
    tracestate,
    span,
    caller,
  });

/** The command is committed: when a wait times out or a row is parked, the answer has no `Preference-Applied`. */
async function waitForReadModels(
  { committedPosition, committedFrom }: RequestContext,
  seconds: number,
  { caughtUp }: CommandRoutePorts,
): Promise<{ readonly applied?: string; readonly model?: string }> {
  if (caughtUp === undefined || committedPosition === undefined) return {};
  try {
    const signal = AbortSignal.timeout(seconds * 1000);
    const seen = await caughtUp(committedPosition, signal, committedFrom ?? committedPosition);
    return seen === 'parked' ? { model: seen } : { applied: `wait=${seconds}` };
  } catch {
    return {};
  }
}

function answerOf(invocation: Invocation, end: LifecycleEnd<unknown>): Answer {
  if (!('result' in end)) throw problemOfEnd(end, invocation.context);
  const body = encoded(invocation, end.result);
  return { status: body === null ? 204 : 200, body, replayed: false };
}

/** A result without JSON is noticed too late: the command is committed. */
function encoded({ registration }: Invocation, result: unknown): string | null {
  try {
    return registration.encode(result);
  } catch (cause) {
    throw new Problem('unexpected', { extensions: { committed: true }, cause });
  }
}
