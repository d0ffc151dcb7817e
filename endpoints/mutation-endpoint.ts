import type { FlagSource } from '../contracts/flags.js';
import type { Command } from '../contracts/message.js';
import type { MutationContext } from '../contracts/mutation-context.js';
import { Cancellation } from '../runtime/lang/cancellation.js';
import type { Secrets } from '../runtime/logging/secrets.js';
import type { FailingState, LifecycleEnd, Observed, Observer } from '../runtime/request/observer.js';
import { RequestContext, runOf } from '../runtime/request/request-context.js';
import { spans } from '../runtime/request/spans.js';
import { type Lifecycle, lifecycleFor, type Progress } from './lifecycle/lifecycle.js';

interface Binding {
  readonly type?: string;
  /** The declared name of the result, for the audit. */
  readonly resultName?: string | undefined;
  readonly observer?: Observer;
  readonly flags?: FlagSource;
  /** The sensitive values of a command or its request, which hooks and receptors may put into errors. */
  readonly secretsIn?: (sent: unknown, isCommand: boolean) => Secrets | undefined;
}

/** What a request has: its command, or what that is mapped from. */
type Takes = 'command' | 'request';

interface EndpointLifecycle<TCommand, TResult, TRequest> {
  /** The registration and the host each bind what they know. */
  bind(binding: Binding): void;
  run(takes: Takes, sent: TCommand | TRequest, context: RequestContext): Promise<LifecycleEnd<TResult>>;
}

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
  #bound: Binding = {};
  readonly #compiled: { [takes in Takes]?: Lifecycle<EndpointRequest<TCommand>, TResult> } = {};
  readonly #lifecycle: EndpointLifecycle<TCommand, TResult, TRequest> = {
    bind: (binding) => (this.#bound = { ...this.#bound, ...binding }),
    run: (takes, sent, context) => this.#run(takes, sent, context),
  };

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
    const end = await this.#run('command', command, context);
    context.cancellation.end();
    if ('result' in end) return end.result;
    throw end.error;
  }

  #run(takes: Takes, sent: TCommand | TRequest, context: RequestContext): Promise<LifecycleEnd<TResult>> {
    const isCommand = takes === 'command';
    const { type = '', observer = spans, flags, secretsIn, resultName } = this.#bound;
    const command = isCommand ? (sent as TCommand) : undefined;
    const request = new EndpointRequest(this, type, context, sent, command);
    const run = runOf(context);
    run.enterHooks();
    run.flags ??= flags;
    if (secretsIn !== undefined) run.hide(() => secretsIn(sent, isCommand));
    if (resultName !== undefined) context.metadata['responseType'] = resultName;
    const lifecycle = (this.#compiled[takes] ??= this.#lifecycleFor(takes));
    return lifecycle.run(request, observer.entered('lifecycle', request));
  }

  /** The fields of a subclass, which may be hooks, are there with its first request. */
  #lifecycleFor(takes: Takes): Lifecycle<EndpointRequest<TCommand>, TResult> {
    const { prototype: base } = MutationEndpointBase;
    const plan = {
      mapsRequest: takes === 'request' && this.mapRequestToCommand !== undefined,
      hasBefore: this.onBeforeExecute !== base.onBeforeExecute,
      hasAfter: this.onAfterExecute !== base.onAfterExecute,
      hasError: this.onError !== base.onError,
    };
    return lifecycleFor(
      plan,
      (state, request, progress) => this.#work(state, request, progress),
      (request, end) => this.#bound.observer?.ended?.(request, end),
    );
  }

  #work(
    state: FailingState,
    request: EndpointRequest<TCommand>,
    { result, error }: Progress<TResult>,
  ): unknown {
    const { context } = request;
    if (state === 'checking') return context.cancellation.reason;
    if (state === 'mapping') return this.#map(request);
    const { cancellationToken } = context;
    const command = request.command as TCommand;
    switch (state) {
      case 'before':
        return this.onBeforeExecute(command, context, cancellationToken);
      case 'dispatching':
        runOf(context).enterDispatch();
        return this.dispatchCommand(command, cancellationToken, context);
      case 'after':
        runOf(context).enterHooks();
        return this.onAfterExecute(command, result as TResult, context, cancellationToken);
      case 'recovering':
        runOf(context).enterHooks();
        return this.onError(command, error, context, cancellationToken);
    }
  }

  async #map(request: EndpointRequest<TCommand>): Promise<void> {
    const { context, sent } = request;
    const { cancellationToken } = context;
    request.command = await this.mapRequestToCommand?.(sent as TRequest, context, cancellationToken);
  }
}

class EndpointRequest<TCommand extends object> implements Observed {
  constructor(
    readonly endpoint: object,
    private readonly declared: string,
    readonly context: RequestContext,
    /** The command, or what it is mapped from. */
    readonly sent: unknown,
    public command: TCommand | undefined,
  ) {}

  get type(): string {
    return this.command?.constructor.name ?? this.declared;
  }
}

/**
 * The base of every endpoint with a REST route; its hooks are those of every mutation.
 *
 * @example
 * ```ts
 * class ShipOrderEndpoint extends Generated { // which extends RestMutationEndpointBase
 *   protected override onError = ({ orderId }: ShipOrder) => ({ orderId, status: 'queued' as const });
 * }
 * ```
 */
export abstract class RestMutationEndpointBase<
  TCommand extends Command,
  TResult,
  TRequest = TCommand,
> extends MutationEndpointBase<TCommand, TResult, TRequest> {}
