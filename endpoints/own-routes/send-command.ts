import { commandEndpointOf } from '../../contracts/command-endpoint.js';
import type { Command, MessageClass } from '../../contracts/message.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { type Caller, RequestContext } from '../../runtime/request/request-context.js';
import { mustBePermitted } from '../access/caller.js';
import type { Correlation } from '../http/correlation.js';
import type { LifecycleEnd } from '../../runtime/request/observer.js';
import { lifecycleOf } from '../mutation-endpoint.js';
import { resultOf } from '../problem.js';
import { encodeJson, type EndpointPorts, type EndpointRegistration } from '../registrations.js';
import { answerOnce, idempotencyOf, resultIn } from '../idempotency.js';

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
    const registration = registered.get(type);
    // Before a stored answer is repeated; the dispatcher checks again what has no endpoint.
    const permission = registration?.permission ?? commandEndpointOf(type)?.permission ?? 'authenticated';
    mustBePermitted(caller, permission, type.name, correlation);
    const { encode = encodeJson } = registration ?? {};
    const { key, sent = command, instance = '' } = once ?? {};
    const keyed = { of: { command: type, permission, encode }, sent, caller, scope };
    const idempotency = key === undefined ? undefined : idempotencyOf({ key, ...keyed });
    const cancellation = Cancellation.of(of.signal);
    const given = { transport: 'rest', cancellation, caller, scope, idempotency } as const;
    const context = new RequestContext(given, correlation);
    const run = (): Promise<End> =>
      registration === undefined
        ? runLocally(ports.dispatcher, command, context)
        : lifecycleOf(registration.endpoint).run('command', command, context);
    try {
      if (idempotency === undefined) return resultOf(await run(), context);
      return resultIn(await answerOnce(ports, { context, idempotency, instance, run }));
    } finally {
      cancellation.end();
    }
  };
}

type End = LifecycleEnd<unknown>;

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
