import { commandEndpointOf } from '../../contracts/command-endpoint.js';
import type { Command, MessageClass } from '../../contracts/message.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import { type Fault, Problem } from '../../contracts/problems.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { Cancellation } from '../../runtime/cancellation.js';
import { type Caller, RequestContext } from '../../runtime/request-context.js';
import type { Correlation } from '../http/correlation.js';
import { type Answer, answerOnce } from '../idempotent-answer.js';
import type { LifecycleEnd } from '../lifecycle/lifecycle.js';
import { lifecycleOf } from '../mutation-endpoint.js';
import { problemBody } from '../problem.js';
import { encodeJson, type EndpointRegistration } from '../registrations.js';
import { type EndpointPorts, problemOfEnd } from '../run-endpoint.js';

/** A command that an own route sends. */
interface Sending {
  readonly command: Command;
  readonly correlation: Correlation;
  readonly cancellation: Cancellation;
  /** Unset: the service itself sends the command, and no permission is checked. */
  readonly caller?: Caller | undefined;
  readonly scope?: PerspectiveScope;
  readonly once?: Once | undefined;
}

interface Once {
  readonly key: string;
  /** The path of the request. */
  readonly instance: string;
  /** What must be the same when the key is used again; by default the command. */
  readonly sent?: unknown;
}

/** Resolves with the result of the command; rejects with a problem that callers may see. */
export type SendCommand = (sending: Sending) => Promise<unknown>;

interface SenderPorts extends EndpointPorts {
  readonly dispatcher?: Dispatcher | undefined;
}

/** Sends commands of own routes, with hooks, permissions, audit and idempotency as over REST. */
export function commandSender(endpoints: readonly EndpointRegistration[], ports: SenderPorts): SendCommand {
  const registered = new Map(endpoints.map((registration) => [registration.command, registration]));
  return async ({ command, correlation, caller, scope, once, cancellation: of }) => {
    const type = command.constructor as MessageClass<Command>;
    const cancellation = Cancellation.of(of.signal);
    const { correlationId, traceparent, tracestate, span } = correlation;
    const init = { cancellation, correlationId, traceparent, tracestate, span, caller };
    const context = new RequestContext({
      transport: 'rest',
      ...init,
      ...(scope === undefined ? {} : { scope }),
    });
    const registration = registered.get(type);
    // Before a stored answer is repeated; the dispatcher checks again what has no endpoint.
    mustBePermitted(caller, type, registration?.permission);
    const run = (): Promise<End> =>
      registration === undefined
        ? runLocally(ports.dispatcher, command, context)
        : lifecycleOf(registration.endpoint).run({ command }, context);
    const problemOf = (end: FailedEnd): Problem => problemOfEnd(end, context);
    try {
      if (once === undefined) return resultOf(await run(), problemOf);
      const { key, instance, sent: decoded = command } = once;
      const encode = (result: unknown): string | null =>
        registration === undefined ? encodeJson(result) : registration.encode(result);
      const refuse = (problem: Problem): string => problemBody(problem, instance, correlationId);
      const keyed = { key, commandType: type.name, decoded, context, encode, refuse, run, problemOf };
      return resultIn(await answerOnce(ports.gate, ports.store, keyed));
    } finally {
      cancellation.end();
    }
  };
}

type End = LifecycleEnd<unknown>;
type FailedEnd = End & { error: unknown };

function mustBePermitted(
  caller: Caller | undefined,
  type: MessageClass,
  declared = commandEndpointOf(type)?.permission,
): void {
  const required = declared ?? 'authenticated';
  const refusal = caller?.guard?.refusalOf(caller.identity, required, { type: type.name });
  if (refusal !== undefined) throw refusal;
}

/** A command without a route has no endpoint and no hooks. */
async function runLocally(
  dispatcher: Dispatcher | undefined,
  command: Command,
  context: RequestContext,
): Promise<End> {
  try {
    return { outcome: 'completed', result: await dispatcher?.localInvoke(command, undefined, context) };
  } catch (error) {
    return { outcome: 'failed', in: 'dispatching', error };
  }
}

function resultOf(end: End, problemOf: (end: FailedEnd) => Problem): unknown {
  if ('result' in end) return end.result;
  throw problemOf(end);
}

/** A keyed command answers with the text that was stored, whether it ran now or earlier. */
function resultIn({ status, body }: Answer): unknown {
  const stored: unknown = body === null ? undefined : JSON.parse(body);
  if (status >= 400) throw storedProblem(stored as StoredProblem);
  return stored;
}

interface StoredProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly errors?: readonly Fault[];
}

const storedProblem = ({ type, title, status, detail, errors }: StoredProblem): Problem =>
  new Problem(type.slice('urn:svc:problem:'.length), {
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    ...(errors === undefined ? {} : { errors }),
  });
