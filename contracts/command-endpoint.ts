import type { AgentTool, ApprovalRule } from './agent-tool.js';
import type { RequiredPermission } from './identity.js';
import type { Command, MessageClass } from './message.js';
import { Permission } from './permission.js';
import { Problem } from './problems.js';

declare const result: unique symbol;

export interface CommandEndpointInit {
  readonly restRoute?: string | null;
  readonly graphQLMutation?: string | null;
  readonly requestType?: MessageClass | null;
  /** What a caller needs; required on every endpoint of a host that authenticates. */
  readonly permission?: RequiredPermission;
  /** Agents may call the command as a tool, if they have the permission. The generator writes the tool. */
  readonly agent?: true | AgentTool;
}

/** Where a command can be sent; `null` means no such endpoint. */
export interface CommandEndpointMark {
  readonly restRoute: string | null;
  readonly graphQLMutation: string | null;
  readonly requestType: MessageClass | null;
  readonly permission?: RequiredPermission | undefined;
  /** Set when a person must agree to what agents ask for. */
  readonly approval?: ApprovalRule;
}

/** Applies only to the class of `TCommand` itself; the generator reads the result type. */
export interface CommandEndpointDecorator<TCommand extends Command, TResult> {
  <C extends new (...args: never[]) => TCommand>(type: C & Only<TCommand, C>): void;
  readonly [result]?: TResult;
}

/**
 * Declares the endpoints generated for a command.
 *
 * @example
 * ```ts
 * @CommandEndpoint<ShipOrder, ShipOrderResult>({ restRoute: '/orders/ship', graphQLMutation: 'shipOrder' })
 * export class ShipOrder extends Command { orderId!: Uuid; }
 * ```
 */
export function CommandEndpoint<TCommand extends Command, TResult>(
  init: CommandEndpointInit = {},
): CommandEndpointDecorator<TCommand, TResult> {
  const { restRoute = null, graphQLMutation = null, requestType = null, permission, agent } = init;
  const approval = typeof agent === 'object' ? agent.approval : undefined;
  return (type) => {
    if (restRoute !== null && !restRoute.startsWith('/')) {
      throw new Problem('invalid-setup', {
        detail: `The REST route '${restRoute}' of ${type.name} must start with '/'.`,
      });
    }
    const declared = {
      ...(permission === undefined ? {} : { permission }),
      ...(approval === undefined
        ? {}
        : { approval: approval instanceof Permission ? { by: approval } : approval }),
    };
    marks.set(type, { restRoute, graphQLMutation, requestType, ...declared });
  };
}

/** The mark of exactly this class: endpoints are not inherited. */
export const commandEndpointOf = (type: MessageClass): CommandEndpointMark | undefined => marks.get(type);

// `new () => TCommand` would not be enough: it also accepts a class with more fields.
type Only<TCommand, C extends MessageClass> =
  TCommand extends InstanceType<C> ? unknown : 'The first type argument must be the decorated class';

const marks = new WeakMap<object, CommandEndpointMark>();
