import type { FlagSource } from '../contracts/flags.js';
import type { Command } from '../contracts/message.js';
import type { MutationContext } from '../contracts/mutation-context.js';
import type { RequestContext } from '../runtime/request-context.js';
import type { Secrets } from '../runtime/secrets.js';
import {
  type Lifecycle,
  type LifecycleEnd,
  lifecycleFor,
  type LifecycleSteps,
  type RequestWatch,
} from './lifecycle/lifecycle.js';
import { tracedSteps } from './lifecycle/traced-steps.js';

/** Observes the ends of requests; it cannot change them. */
export interface LifecycleObserver {
  /** `command` is undefined when it was never created. */
  ended(
    endpoint: object,
    command: Command | undefined,
    end: LifecycleEnd<unknown>,
    context: RequestContext,
  ): void;
}

/** The sensitive values of a command, or of the request that it is mapped from. */
type SecretsIn = (sent: unknown, isCommand: boolean) => Secrets | undefined;

/** Runs the requests of one endpoint through its hooks, so that subclasses of the endpoint see only hooks. */
export class EndpointLifecycle<TCommand extends Command, TResult, TRequest> {
  #lifecycle: Lifecycle | undefined;
  #withoutMapping: Lifecycle | undefined;
  #observer: LifecycleObserver | undefined;
  #watch: ((context: RequestContext) => RequestWatch) | undefined;
  #resultName: string | undefined;
  #secretsIn: SecretsIn | undefined;
  #flags: FlagSource | undefined;

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
    const steps = new EndpointSteps(
      this.hooks,
      isCommand ? what.command : undefined,
      isCommand ? undefined : what.request,
      context,
    );
    context.inLifecycle = true;
    context.flagSource ??= this.#flags;
    const secretsIn = this.#secretsIn;
    if (secretsIn !== undefined)
      context.hide(() => secretsIn(isCommand ? what.command : what.request, isCommand));
    if (this.#resultName !== undefined) context.metadata['responseType'] = this.#resultName;
    const watch = this.#watch?.(context);
    const traced = context.span === undefined ? steps : tracedSteps(steps, context);
    const end = this.#lifecycleOf(isCommand).run(traced, watch);
    const observer = this.#observer;
    if (observer === undefined && watch === undefined) return end;
    return end.then((ended) => {
      watch?.ended(ended);
      observer?.ended(this.hooks, steps.command, ended, context);
      return ended;
    });
  }

  /** Watches the states of every request; the host sets it once, when it registers the endpoint. */
  watchedBy(watch: (context: RequestContext) => RequestWatch): void {
    this.#watch = watch;
  }

  /** Reports the end of every request; the host sets it once, when it registers the endpoint. */
  observedBy(observer: LifecycleObserver): void {
    this.#observer = observer;
  }

  /** Sets the declared name of the result, for the audit. */
  answersWith(resultName: string): void {
    this.#resultName = resultName;
  }

  /** The command has sensitive fields, and its hooks and its receptor may put them into their errors. */
  hideErrors(secretsIn: SecretsIn): void {
    this.#secretsIn = secretsIn;
  }

  /** The flags of the host that registers the endpoint. */
  useFlags(flags: FlagSource): void {
    this.#flags = flags;
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
class EndpointSteps<TCommand, TResult, TRequest> implements LifecycleSteps<TResult> {
  constructor(
    private readonly hooks: EndpointHooks<TCommand, TResult, TRequest>,
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
