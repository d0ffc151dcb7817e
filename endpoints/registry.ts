import type { Decode } from '../contracts/codec.js';
import { commandEndpointOf } from '../contracts/command-endpoint.js';
import type { Authenticate, RequiredPermission } from '../contracts/identity.js';
import type { Command, Event, MessageClass } from '../contracts/message.js';
import type { Perspective } from '../contracts/perspective.js';
import { Problem } from '../contracts/problems.js';
import type { Dispatcher, Receptor, ReceptorRegistration } from '../contracts/receptor.js';
import type { Service } from '../runtime/service/service.js';
import type { ClaimNames } from './access/jwt/claims.js';
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
  /** What a caller needs; set when the host authenticates. */
  readonly permission?: RequiredPermission | undefined;
  /** The type of the body: the command itself, or the request it is mapped from. */
  readonly takes: 'command' | 'request';
  readonly decode: Decode<TCommand | TRequest>;
  /** Encodes the result as JSON; null for a command without a result. */
  encode(result: TResult): string | null;
}

/** The parts of an application. */
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

/** Redacts a message with sensitive fields for the audit. */
export interface Redaction {
  readonly type: MessageClass;
  redact(message: unknown): unknown;
}

/** The default export of an application. */
export interface ServiceDefinition {
  readonly name: string;
  create(dispatcher: Dispatcher): Registry;
  /** `system`: also the system messages of every broadcasting store, for the central monitor. */
  readonly receive?: 'domain' | 'system';
  /** Finds out who sends a request, for commands, reads and pages alike. */
  readonly authenticate?: Authenticate;
  /** With `SVC_AUTH=jwt`: which claims of a token hold what. */
  readonly claims?: ClaimNames;
  /** More headers that hooks must not see; credentials are always left out. */
  readonly hiddenHeaders?: readonly string[];
  /** Configures the service before it starts: hooks on system events, options. */
  configure?(service: Service): void;
  /** The folder of the service's SQL files; by default `migrations` beside its package.json or its main module. */
  readonly migrations?: URL | string;
  /**
   * The version of the application, by default that of its package.json. An older version never changes what a newer
   * one created.
   */
  readonly version?: string;
}

/** Registers an endpoint as its @CommandEndpoint declares. */
export function endpoint<TCommand extends Command, TResult, TRequest = TCommand>(init: {
  readonly command: MessageClass<TCommand>;
  readonly endpoint: MutationEndpointBase<TCommand, TResult, TRequest>;
  readonly decode: Decode<TCommand | TRequest>;
  readonly encode?: (result: TResult) => string | null;
  /** The declared name of the result; absent for a command without one. */
  readonly resultName?: string;
}): EndpointRegistration {
  const mark = commandEndpointOf(init.command);
  if (mark === undefined) {
    throw new Problem('invalid-setup', { detail: `${init.command.name} has no @CommandEndpoint.` });
  }
  if (init.resultName !== undefined) lifecycleOf(init.endpoint).answersWith(init.resultName);
  const { restRoute, graphQLMutation, requestType, permission } = mark;
  const takes = requestType === null ? 'command' : 'request';
  // The types of one registration match each other; from outside they are opaque.
  return {
    encode: encodeJson,
    ...init,
    restRoute,
    graphQLMutation,
    permission,
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

/** The JSON of a result; null without a result. */
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
