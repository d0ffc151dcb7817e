import { performance } from 'node:perf_hooks';
import type { FastifyRequest } from 'fastify';
import { decodeBody } from '../../contracts/codec.js';
import type { Idempotency } from '../../contracts/mutation-context.js';
import { Problem } from '../../contracts/problems.js';
import { outcomeWith } from '../../contracts/unit-store.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Long } from '../../contracts/scalars.js';
import { writtenIn } from '../../contracts/number-source-text.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { Deadlines } from '../../runtime/lang/deadlines.js';
import { type Caller, RequestContext, runOf } from '../../runtime/request/request-context.js';
import { withoutToken } from './redact-url-credentials.js';
import { decodeGuarded } from '../decode-guard.js';
import { type Answer, answerOnce, idempotencyKeyOf, idempotencyOf } from '../idempotency.js';
import type { LifecycleEnd } from '../../runtime/request/observer.js';
import { resultOf } from '../problem.js';
import { lifecycleOf } from '../mutation-endpoint.js';
import type { EndpointPorts, EndpointRegistration } from '../registrations.js';
import type { Connections } from './connections.js';
import { tracedCorrelationOf } from './correlation.js';
import { waitOf } from './prefer-wait.js';
import type { BodyHandler } from './read-json-body.js';
import { type SendAnswer, sendProblem, type SentAnswer } from './reply.js';
import type { RouteLimit } from './shedding.js';

export interface CommandRoutePorts extends EndpointPorts {
  readonly deadlineMs: number;
  readonly dispatcher?: Dispatcher | undefined;
  readonly callerOf?: (request: FastifyRequest) => Caller;
  /** Resolves when every perspective has seen what was committed up to this position. */
  readonly caughtUp?: ((position: Long, signal: AbortSignal, from: Long) => Promise<unknown>) | undefined;
  /** The `Link` to the processes that a command has started. Unset: none of the service can be seen. */
  readonly monitors?: ((context: RequestContext) => string | undefined) | undefined;
}

interface CommandRouteOptions {
  readonly connections: Connections;
  readonly routeLimit: RouteLimit;
  readonly send: SendAnswer;
}

/** POST: body → command → lifecycle → result, and every failure → problem+json. */
export function bodyHandlerOf(
  registration: EndpointRegistration,
  ports: CommandRoutePorts,
  { connections, routeLimit, send }: CommandRouteOptions,
): BodyHandler {
  const deadlines = new Deadlines(ports.deadlineMs);
  const route = registration.restRoute ?? undefined;
  return async (request, reply, body, text): Promise<void> => {
    const correlation = tracedCorrelationOf(request);
    const { messageId } = correlation;
    const cancellation = new Cancellation();
    const enteredAt = routeLimit.enter();
    const deadline = deadlines.begin(cancellation, enteredAt);
    const requests = connections.entered(request.raw.socket, cancellation);
    let answeredAt: number | undefined;
    let worked = false;
    let context: RequestContext | undefined;
    // Nothing here is a closure: every request would pay for each of them, and for all that they hold.
    try {
      const caller = ports.callerOf?.(request);
      const sent = decodedBy(registration, ports, caller, body, text);
      const wait = waitOf(request.headers);
      const key = idempotencyKeyOf(request.headers);
      const idempotency =
        key === undefined ? undefined : idempotencyOf({ key, of: registration, sent, caller });
      const given = { transport: 'rest', cancellation, messageId, caller, idempotency } as const;
      context = new RequestContext(given, correlation);
      let answer: SentAnswer =
        idempotency === undefined
          ? answerOf(registration, await run(registration, sent, context), context)
          : await answerOnce(ports, runOnce(registration, sent, context, idempotency, request.url));
      worked = !answer.replayed;
      if (worked) answer.link = ports.monitors?.(context);
      answeredAt = performance.now();
      if (wait !== undefined) answer = { ...answer, ...(await waitForReadModels(context, wait, ports)) };
      if (connections.isLastAnswer(requests, cancellation)) reply.header('connection', 'close');
      send(reply, correlation, answer);
      const { seconds, isRecorded } = timing(enteredAt, answeredAt, context);
      const { status } = answer;
      request.server.observer?.left({ request, correlation, route, status, seconds, isRecorded });
    } catch (error) {
      if (connections.isLastAnswer(requests, cancellation)) reply.header('connection', 'close');
      sendProblem(request, reply, correlation, error, timing(enteredAt, answeredAt, context));
    } finally {
      deadlines.end(deadline);
      connections.left(requests, cancellation);
      routeLimit.leave(enteredAt, worked, answeredAt);
      correlation.span?.answered(reply.raw.statusCode);
    }
  };
}

const decodedBy = (
  { command, decode }: EndpointRegistration,
  { guard }: EndpointPorts,
  caller: Caller | undefined,
  body: unknown,
  text: string,
): unknown => decodeGuarded(guard, command.name, caller, () => decodeBody(decode, body, writtenIn(text)));

const run = (
  { endpoint, takes }: EndpointRegistration,
  sent: unknown,
  context: RequestContext,
): Promise<LifecycleEnd<unknown>> => lifecycleOf(endpoint).run(takes, sent, context);

const runOnce = (
  registration: EndpointRegistration,
  sent: unknown,
  context: RequestContext,
  idempotency: Idempotency,
  url: string,
) => ({ context, idempotency, instance: withoutToken(url), run: () => run(registration, sent, context) });

/** What a client asked to wait for is no part of the duration. */
const timing = (enteredAt: number, answeredAt = performance.now(), context?: RequestContext) => ({
  seconds: (answeredAt - enteredAt) / 1000,
  isRecorded: context !== undefined && runOf(context).isInLifecycle,
});

/** The command is committed: when a wait times out or a row is parked, the answer has no `Preference-Applied`. */
async function waitForReadModels(
  context: RequestContext,
  seconds: number,
  { caughtUp }: CommandRoutePorts,
): Promise<{ readonly applied?: string; readonly model?: string }> {
  const { from, to } = runOf(context).committed ?? {};
  if (caughtUp === undefined || to === undefined) return {};
  try {
    const signal = AbortSignal.timeout(seconds * 1000);
    const seen = await caughtUp(to, signal, from ?? to);
    return seen === 'parked' ? { model: seen } : { applied: `wait=${seconds}` };
  } catch {
    return {};
  }
}

function answerOf(
  registration: EndpointRegistration,
  end: LifecycleEnd<unknown>,
  context: RequestContext,
): Answer {
  const result = resultOf(end, context);
  try {
    // Name the members wherever every request passes: a spread of this object took a twentieth of its time.
    const { status, body } = outcomeWith(registration.encode(result));
    return { status, body, replayed: false };
  } catch (cause) {
    // Noticed too late: the command is committed.
    throw new Problem('unexpected', { extensions: { committed: true }, cause });
  }
}
