import type { Command } from '../contracts/message.js';
import type { MutationContext } from '../contracts/mutation.js';
import { Cancellation } from '../runtime/cancellation.js';
import { RequestContext } from '../runtime/request-context.js';
import {
  type Lifecycle,
  type LifecycleEnd,
  lifecycleFor,
  type LifecycleSteps,
  type RequestWatch,
} from './lifecycle/lifecycle.js';
import { tracedSteps } from './lifecycle/traced-steps.js';

/** Sees how requests end; it cannot change it. */
export interface LifecycleObserver {
  /** `command` is undefined when it was never made. */
  ended(
    endpoint: object,
    command: Command | undefined,
    end: LifecycleEnd<unknown>,
    context: RequestContext,
  ): void;
}

/** Runs the hook lifecycle of one command; a subclass overrides the hooks it wants. */
export abstract class MutationEndpointBase<TCommand extends Command, TResult, TRequest = TCommand> {
  #lifecycle: Lifecycle | undefined;
  #withoutMapping: Lifecycle | undefined;
  #observer: LifecycleObserver | undefined;
  #watch: ((context: RequestContext) => RequestWatch) | undefined;
  #resultName: string | undefined;

  /** Builds the command from a custom request; what it throws behaves like a before-hook failure. */
  protected mapRequestToCommand?(
    request: TRequest,
    context: MutationContext,
    signal: AbortSignal,
  ): TCommand | Promise<TCommand>;

  /** Validation, authorization, logging: what it throws goes to the caller, and nothing else runs. */
  protected onBeforeExecute(
    _command: TCommand,
    _context: MutationContext,
    _signal: AbortSignal,
  ): void | Promise<void> {}

  protected abstract dispatchCommand(
    command: TCommand,
    signal: AbortSignal,
    context: MutationContext,
  ): TResult | Promise<TResult>;

  /** Notifications: the command has happened, whatever this throws. */
  protected onAfterExecute(
    _command: TCommand,
    _result: TResult,
    _context: MutationContext,
    _signal: AbortSignal,
  ): void | Promise<void> {}

  /** A fallback result for a known failure of dispatch; null rethrows. */
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
    const end = await this.run({ command }, context);
    context.cancellation.end();
    if ('result' in end) return end.result;
    throw end.error;
  }

  /** Runs the lifecycle for a transport: of a command, or of the request that a command is made from. */
  run(
    what: { readonly command: TCommand } | { readonly request: TRequest },
    context: RequestContext,
  ): Promise<LifecycleEnd<TResult>> {
    const isCommand = 'command' in what;
    const steps = new EndpointSteps(
      this as unknown as Hooks<TCommand, TResult, TRequest>,
      isCommand ? what.command : undefined,
      isCommand ? undefined : what.request,
      context,
    );
    context.inLifecycle = true;
    if (this.#resultName !== undefined) context.metadata['responseType'] = this.#resultName;
    const watch = this.#watch?.(context);
    const traced = context.span === undefined ? steps : tracedSteps(steps, context);
    const end = this.#lifecycleOf(isCommand).run(traced, watch);
    const observer = this.#observer;
    if (observer === undefined && watch === undefined) return end;
    return end.then((ended) => {
      watch?.ended(ended);
      observer?.ended(this, steps.command, ended, context);
      return ended;
    });
  }

  /** Gives every request somebody who sees its states: by the host, once, when it registers the endpoint. */
  watchedBy(watch: (context: RequestContext) => RequestWatch): void {
    this.#watch = watch;
  }

  /** Told about the end of every request: by the host, once, when it registers the endpoint. */
  observedBy(observer: LifecycleObserver): void {
    this.#observer = observer;
  }

  /** Told the declared name of its result, for the audit. */
  answersWith(resultName: string): void {
    this.#resultName = resultName;
  }

  #lifecycleOf(isCommand: boolean): Lifecycle {
    if (!isCommand) return (this.#lifecycle ??= lifecycleFor(this.#plan()));
    return (this.#withoutMapping ??= lifecycleFor({ ...this.#plan(), mapsRequest: false }));
  }

  #plan() {
    const base = MutationEndpointBase.prototype;
    return {
      mapsRequest: this.mapRequestToCommand !== undefined,
      hasBefore: this.onBeforeExecute !== base.onBeforeExecute,
      hasAfter: this.onAfterExecute !== base.onAfterExecute,
      hasError: this.onError !== base.onError,
    };
  }
}

/** The protected members of an endpoint, as its own lifecycle may call them. */
interface Hooks<TCommand, TResult, TRequest> {
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

/** One request's way through the hooks of its endpoint. */
class EndpointSteps<TCommand, TResult, TRequest> implements LifecycleSteps<TResult> {
  constructor(
    private readonly hooks: Hooks<TCommand, TResult, TRequest>,
    public command: TCommand | undefined,
    private readonly request: TRequest | undefined,
    private readonly context: RequestContext,
  ) {}

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
    this.context.dispatchDue = true;
    return this.hooks.dispatchCommand(this.command as TCommand, this.context.cancellationToken, this.context);
  }

  after(result: TResult): void | Promise<void> {
    this.context.dispatchDue = false;
    return this.hooks.onAfterExecute(
      this.command as TCommand,
      result,
      this.context,
      this.context.cancellationToken,
    );
  }

  recover(error: unknown): TResult | null | undefined | Promise<TResult | null | undefined> {
    this.context.dispatchDue = false;
    return this.hooks.onError(this.command as TCommand, error, this.context, this.context.cancellationToken);
  }
}
