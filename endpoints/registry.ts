import type { Decode } from '../contracts/codec.js';
import { commandEndpointOf } from '../contracts/command-endpoint.js';
import type { Command, Event, MessageClass } from '../contracts/message.js';
import type { Perspective } from '../contracts/perspective.js';
import { Problem } from '../contracts/problems.js';
import type { Dispatcher, Receptor, ReceptorRegistration } from '../contracts/receptor.js';
import type { Service } from '../runtime/service/service.js';
import { lifecycleOf, type MutationEndpointBase } from './mutation-endpoint.js';

/** An endpoint and everything a transport needs to reach it. */
export interface EndpointRegistration<
  TCommand extends Command = Command,
  TResult = unknown,
  TRequest = unknown,
> {
  readonly command: MessageClass<TCommand>;
  readonly endpoint: MutationEndpointBase<TCommand, TResult, TRequest>;
  readonly restRoute: string | null;
  readonly graphQLMutation: string | null;
  /** What the body holds: the command itself, or the request it is mapped from. */
  readonly takes: 'command' | 'request';
  readonly decode: Decode<TCommand | TRequest>;
  /** The result's JSON; null for a command that answers nothing. */
  encode(result: TResult): string | null;
}

/** What an application is made of. */
export interface Registry {
  readonly endpoints: readonly EndpointRegistration[];
  readonly receptors: readonly ReceptorRegistration[];
  readonly perspectives?: readonly Perspective<unknown>[];
  readonly events?: readonly MessageClass<Event>[];
  readonly redactions?: readonly Redaction[];
  /** The OpenAPI document, as text. */
  readonly openApi?: string;
  /** The GraphQL schema, as text; empty when there is no mutation. */
  readonly schema?: string;
}

/** How a message with sensitive fields is told to the audit. */
export interface Redaction {
  readonly type: MessageClass;
  redact(message: unknown): unknown;
}

/** The default export of an application. */
export interface ServiceDefinition {
  readonly name: string;
  create(dispatcher: Dispatcher): Registry;
  /** `system`: the system messages of every broadcasting store, as the central monitor wants them. */
  readonly receive?: 'domain' | 'system';
  /** Adds to the service before it starts: hooks on system events, options. */
  configure?(service: Service): void;
  /** The folder of its own SQL files; `migrations` beside its package.json or its main module unless told otherwise. */
  readonly migrations?: URL | string;
  /** Of the application; that of its package.json unless told otherwise. An older one changes nothing of a newer one. */
  readonly version?: string;
}

/** Registers an endpoint where its command's mark says. */
export function endpoint<TCommand extends Command, TResult, TRequest = TCommand>(init: {
  readonly command: MessageClass<TCommand>;
  readonly endpoint: MutationEndpointBase<TCommand, TResult, TRequest>;
  readonly decode: Decode<TCommand | TRequest>;
  readonly encode?: (result: TResult) => string | null;
  /** The declared name of the result; a command that answers nothing has none. */
  readonly resultName?: string;
}): EndpointRegistration {
  const mark = commandEndpointOf(init.command);
  if (mark === undefined) {
    throw new Problem('invalid-setup', { detail: `${init.command.name} carries no @CommandEndpoint.` });
  }
  if (init.resultName !== undefined) lifecycleOf(init.endpoint).answersWith(init.resultName);
  const { restRoute, graphQLMutation, requestType } = mark;
  const takes = requestType === null ? 'command' : 'request';
  // The types of one registration agree with each other; from outside they are opaque.
  return {
    encode: encodeJson,
    ...init,
    restRoute,
    graphQLMutation,
    takes,
  } as unknown as EndpointRegistration;
}

/** Registers the receptor of a command. */
export const receptor = <TCommand extends Command, TResult>(
  command: MessageClass<TCommand>,
  handler: Receptor<TCommand, TResult>,
  resultName?: string,
): ReceptorRegistration => ({
  command,
  receptor: handler,
  ...(resultName === undefined ? {} : { resultName }),
});

/** Registers how a message with sensitive fields is redacted for the audit. */
export const redaction = <T>(type: MessageClass<T>, redact: (message: T) => unknown): Redaction => ({
  type,
  redact: (message) => redact(message as T),
});

/** JSON of a result; a command that answers nothing has none. */
export const encodeJson = (result: unknown): string | null =>
  result === undefined ? null : JSON.stringify(result);

export function mustBeDistinct(endpoints: readonly EndpointRegistration[]): void {
  const seen = new Map<string, string>();
  for (const { restRoute, command } of endpoints) {
    if (restRoute === null) continue;
    if (!restRoute.startsWith('/')) {
      throw new Problem('invalid-setup', {
        detail: `The route '${restRoute}' of ${command.name} must start with '/'.`,
      });
    }
    const other = seen.get(restRoute);
    if (other !== undefined) {
      throw new Problem('invalid-setup', {
        detail: `${other} and ${command.name} have the same route '${restRoute}'.`,
      });
    }
    seen.set(restRoute, command.name);
  }
}
