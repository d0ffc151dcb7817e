import type { Command } from '../contracts/message.js';
import type { MutationContext } from '../contracts/mutation-context.js';
import { Cancellation } from '../runtime/lang/cancellation.js';
import { RequestContext } from '../runtime/request/request-context.js';
import { type EndpointHooks, EndpointLifecycle } from './endpoint-lifecycle.js';

/** How a transport runs an endpoint and a host observes it, hidden from subclasses. */
export let lifecycleOf: <TCommand extends Command, TResult, TRequest>(
  endpoint: MutationEndpointBase<TCommand, TResult, TRequest>,
) => EndpointLifecycle<TCommand, TResult, TRequest>;

/**
 * Runs the hook lifecycle of one command; a subclass overrides the hooks it needs.
 *
 * @example
 * ```ts
 * class ArchiveOrderEndpoint extends Generated { // which extends MutationEndpointBase
 *   protected override onAfterExecute(): void { archived.inc(); }
 * }
 * ```
 */
export abstract class MutationEndpointBase<TCommand extends Command, TResult, TRequest = TCommand> {
  readonly #lifecycle = new EndpointLifecycle<TCommand, TResult, TRequest>(
    this as unknown as EndpointHooks<TCommand, TResult, TRequest>,
    MutationEndpointBase.prototype as unknown as EndpointHooks<never, unknown, never>,
  );

  static {
    lifecycleOf = (endpoint) => endpoint.#lifecycle;
  }

  /** Builds the command from a custom request; an error here is handled like an error of the before-hook. */
  protected mapRequestToCommand?(
    request: TRequest,
    context: MutationContext,
    signal: AbortSignal,
  ): TCommand | Promise<TCommand>;

  /** Validation, authorization, logging: an error here goes to the caller, and nothing else runs. */
  protected onBeforeExecute(
    _command: TCommand,
    _context: MutationContext,
    _signal: AbortSignal,
  ): void | Promise<void> {}

  /** Sends the command to its receptor; generated endpoints implement it. */
  protected abstract dispatchCommand(
    command: TCommand,
    signal: AbortSignal,
    context: MutationContext,
  ): TResult | Promise<TResult>;

  /** Notifications: the command is committed, whatever this throws. */
  protected onAfterExecute(
    _command: TCommand,
    _result: TResult,
    _context: MutationContext,
    _signal: AbortSignal,
  ): void | Promise<void> {}

  /** Returns a fallback result for a known failure of dispatch; null rethrows. */
  protected onError(
    _command: TCommand,
    _error: unknown,
    _context: MutationContext,
    _signal: AbortSignal,
  ): TResult | null | undefined | Promise<TResult | null | undefined> {
    return null;
  }

  /** Runs the lifecycle without a transport. */
  async execute(command: TCommand, signal?: AbortSignal): Promise<TResult> {
    const context = new RequestContext({ transport: 'local', cancellation: Cancellation.of(signal) });
    const end = await this.#lifecycle.run({ command }, context);
    context.cancellation.end();
    if ('result' in end) return end.result;
    throw end.error;
  }
}
