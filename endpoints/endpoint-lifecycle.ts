import type { FlagSource } from '../contracts/flags.js';
import type { Command } from '../contracts/message.js';
import type { MutationContext } from '../contracts/mutation-context.js';
import type { LifecycleEnd, Observed, Observer } from '../runtime/request/observer.js';
import { type RequestContext, runOf } from '../runtime/request/request-context.js';
import type { Secrets } from '../runtime/logging/secrets.js';
import { spans } from '../runtime/request/spans.js';
import { type Lifecycle, lifecycleFor, type LifecycleSteps } from './lifecycle/lifecycle.js';

/** What an endpoint is bound to. */
interface Binding {
  /** The name of its command. */
  readonly type?: string;
  /** The declared name of the result, for the audit. */
  readonly resultName?: string;
  readonly observer?: Observer;
  /** The flags of the host. */
  readonly flags?: FlagSource;
  /**
   * The sensitive values of a command, or of the request that it is mapped from: its hooks and its receptor may put them
   * into their errors.
   */
  readonly secretsIn?: (sent: unknown, isCommand: boolean) => Secrets | undefined;
}

/** Runs the requests of one endpoint through its hooks, so that subclasses of the endpoint see only hooks. */
export class EndpointLifecycle<TCommand extends Command, TResult, TRequest> {
  #lifecycle: Lifecycle | undefined;
  #withoutMapping: Lifecycle | undefined;
  #bound: Binding = {};

  /** `base`: the prototype whose hooks do nothing. */
  constructor(
    private readonly hooks: EndpointHooks<TCommand, TResult, TRequest>,
    private readonly base: EndpointHooks<never, unknown, never>,
  ) {}

  /** Runs a command, or the request that it is mapped from. */
  run(
    what: { readonly command: TCommand } | { readonly request: TRequest },
    context: RequestContext,
  ): Promise<LifecycleEnd<TResult>> {
    const isCommand = 'command' in what;
    const { type = '', observer = spans, flags, secretsIn, resultName } = this.#bound;
    const steps = new EndpointSteps(
      this.hooks,
      type,
      isCommand ? what.command : undefined,
      isCommand ? undefined : what.request,
      context,
    );
    const run = runOf(context);
    run.enterHooks();
    run.flags ??= flags;
    if (secretsIn !== undefined)
      run.hide(() => secretsIn(isCommand ? what.command : what.request, isCommand));
    if (resultName !== undefined) context.metadata['responseType'] = resultName;
    return this.#lifecycleOf(isCommand).run(steps, observer.entered('lifecycle', steps));
  }

  /** The registration and the host each bind what they know. */
  bind(binding: Binding): void {
    this.#bound = { ...this.#bound, ...binding };
  }

  #lifecycleOf(isCommand: boolean): Lifecycle {
    if (!isCommand) return (this.#lifecycle ??= lifecycleFor(this.#plan()));
    return (this.#withoutMapping ??= lifecycleFor({ ...this.#plan(), mapsRequest: false }));
  }

  #plan() {
    const { hooks, base } = this;
    return {
      mapsRequest: hooks.mapRequestToCommand !== undefined,
      hasBefore: hooks.onBeforeExecute !== base.onBeforeExecute,
      hasAfter: hooks.onAfterExecute !== base.onAfterExecute,
      hasError: hooks.onError !== base.onError,
    };
  }
}

/** The protected members of an endpoint, as its own lifecycle may call them. */
export interface EndpointHooks<TCommand, TResult, TRequest> {
  mapRequestToCommand(
    request: TRequest,
    context: MutationContext,
    signal: AbortSignal,
  ): TCommand | Promise<TCommand>;
  onBeforeExecute(command: TCommand, context: MutationContext, signal: AbortSignal): void | Promise<void>;
  dispatchCommand(
    command: TCommand,
    signal: AbortSignal,
    context: MutationContext,
  ): TResult | Promise<TResult>;
  onAfterExecute(
    command: TCommand,
    result: TResult,
    context: MutationContext,
    signal: AbortSignal,
  ): void | Promise<void>;
  onError(
    command: TCommand,
    error: unknown,
    context: MutationContext,
    signal: AbortSignal,
  ): TResult | null | undefined | Promise<TResult | null | undefined>;
}

/** The steps of one request: the hooks of its endpoint. */
class EndpointSteps<TCommand extends object, TResult, TRequest> implements LifecycleSteps<TResult>, Observed {
  constructor(
    private readonly hooks: EndpointHooks<TCommand, TResult, TRequest>,
    private readonly declared: string,
    public command: TCommand | undefined,
    private readonly request: TRequest | undefined,
    readonly context: RequestContext,
  ) {}

  get type(): string {
    return this.command?.constructor.name ?? this.declared;
  }

  get endpoint(): object {
    return this.hooks;
  }

  isCancelled(): boolean {
    return this.context.cancellation.aborted;
  }

  cancellationReason(): unknown {
    return this.context.cancellation.reason;
  }

  async map(): Promise<void> {
    const { hooks, context } = this;
    this.command = await hooks.mapRequestToCommand(
      this.request as TRequest,
      context,
      context.cancellationToken,
    );
  }

  before(): void | Promise<void> {
    return this.hooks.onBeforeExecute(this.command as TCommand, this.context, this.context.cancellationToken);
  }

  dispatch(): TResult | Promise<TResult> {
    runOf(this.context).enterDispatch();
    return this.hooks.dispatchCommand(this.command as TCommand, this.context.cancellationToken, this.context);
  }

  after(result: TResult): void | Promise<void> {
    runOf(this.context).enterHooks();
    return this.hooks.onAfterExecute(
      this.command as TCommand,
      result,
      this.context,
      this.context.cancellationToken,
    );
  }

  recover(error: unknown): TResult | null | undefined | Promise<TResult | null | undefined> {
    runOf(this.context).enterHooks();
    return this.hooks.onError(this.command as TCommand, error, this.context, this.context.cancellationToken);
  }
}
