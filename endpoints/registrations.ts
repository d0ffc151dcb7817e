import type { CommandGuard } from '../actors/commands/command-handler.js';
import type { Decode } from '../contracts/codec.js';
import { commandEndpointOf } from '../contracts/command-endpoint.js';
import type { IdempotencyGate } from '../contracts/idempotency-gate.js';
import type { ApprovalRule } from '../contracts/agent-tool.js';
import type { EventStore } from '../contracts/event-store.js';
import type { Guard, Identity, RequiredPermission } from '../contracts/identity.js';
import type { Command, MessageClass } from '../contracts/message.js';
import { Problem } from '../contracts/problems.js';
import type { Receptor, ReceptorRegistration } from '../contracts/receptor.js';
import type { UnitStore } from '../contracts/unit-store.js';
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
  /** Set when a person must agree to what agents ask for. */
  readonly approval?: ApprovalRule | undefined;
  /** Whether the pages of the host may send it for the person who is signed in. */
  readonly acceptsSession?: boolean;
  /** The type of the body: the command itself, or the request it is mapped from. */
  readonly takes: 'command' | 'request';
  readonly decode: Decode<TCommand | TRequest>;
  /** Encodes the result as JSON; null for a command without a result. */
  readonly encode: (result: TResult) => string | null;
}

/** Redacts a message with sensitive fields for the audit. */
export interface Redaction {
  readonly type: MessageClass;
  redact(message: unknown): unknown;
}

/** Registers an endpoint as its `@CommandEndpoint` declares. */
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
  lifecycleOf(init.endpoint).bind({ type: init.command.name, resultName: init.resultName });
  const { restRoute, graphQLMutation, requestType, permission, approval } = mark;
  const takes = requestType === null ? 'command' : 'request';
  // The types of one registration match each other; from outside they are opaque.
  return {
    encode: encodeJson,
    ...init,
    restRoute,
    graphQLMutation,
    permission,
    approval,
    takes,
  } as unknown as EndpointRegistration;
}

export interface EndpointPorts {
  readonly gate: IdempotencyGate;
  readonly store: UnitStore;
  /** Set under a supervisor. */
  readonly guard?: CommandGuard | undefined;
}

/** What a host lends to the approvals of its service. */
export interface ApprovalHost {
  readonly store: Pick<EventStore, 'read'>;
  /** Unset: the host does not authenticate. */
  readonly accessGuard?: Guard | undefined;
  readonly deadlineMs: number;
  /** What a caller may do by now; undefined when their API key was revoked. */
  readonly rightsOf: (said: Identity) => Promise<Identity | undefined>;
}

/** The approvals of a service whose commands declare them. */
export interface ApprovalPort {
  /** They hold what agents ask for and who they are, so they are not published. */
  readonly events: readonly MessageClass[];
  /** Called before the first command runs. */
  serve(host: ApprovalHost): void;
  /** What has become of an approval, for the caller who asked for it; undefined for all others. */
  outcomeFor(asker: Identity | undefined, approvalId: string): Promise<object | undefined>;
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
