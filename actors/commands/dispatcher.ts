import { createActor } from 'xstate';
import { commandEndpointOf } from '../../contracts/command-endpoint.js';
import type { FlagSource } from '../../contracts/flags.js';
import type { Command, MessageClass } from '../../contracts/message.js';
import type { MutationContext } from '../../contracts/mutation-context.js';
import { Problem } from '../../contracts/problems.js';
import type { Dispatcher, ReceptorRegistration } from '../../contracts/receptor.js';
import type { AccessGuard } from '../../runtime/access/access-guard.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext, runOf } from '../../runtime/request/request-context.js';
import { runsAgain } from './passing-errors.js';
import type { WeightOf } from '../../runtime/lang/tenant-weights.js';
import { type CommandGuard, commandHandler, type HandlerLoad } from './command-handler.js';
import { CommandKeys } from './command-keys.js';
import { OpenStep } from './open-step.js';
import { CommandPipeline, type PipelinePorts } from './command-pipeline.js';
import type { Handler } from './command-attempt.js';

export interface DispatcherPorts extends PipelinePorts {
  /** For commands without a context of their own. */
  readonly deadlineMs?: number;
  /** Called when a command fails and no endpoint is responsible for it. */
  readonly onFailure?: (command: Command, error: unknown, context: RequestContext) => void;
  /** Checks commands that run on behalf of a caller; undefined if the host does not authenticate. */
  readonly accessGuard?: AccessGuard | undefined;
  /** Protects the hosts of a store from commands that block them. */
  readonly guard?: CommandGuard | undefined;
  /** Without it, every flag is off. */
  readonly flags?: FlagSource | undefined;
  /** Unset: all tenants have the same weight. */
  readonly weightOf?: WeightOf | undefined;
}

/** The load of one command's handler. */
export interface CommandLoad extends HandlerLoad {
  readonly command: string;
}

interface Started {
  readonly ports: DispatcherPorts;
  readonly pipeline: CommandPipeline;
}

/**
 * Dispatches every command to its handler actor. Endpoints are bound to it before it starts; until then it refuses
 * commands.
 */
export class LocalDispatcher implements Dispatcher {
  readonly #handlers = new Map<MessageClass, Handler>();
  readonly #commands = new Map<string, MessageClass<Command>>();
  /** By the name of the queue. */
  readonly #keys = new Map<string, CommandKeys>();
  readonly #loads = new Map<string, () => HandlerLoad>();
  /** Commands that receptors of a step invoke join the step. */
  readonly #steps = new WeakMap<RequestContext, OpenStep>();
  #started: Started | undefined;
  #stopped = false;

  constructor(ports?: DispatcherPorts) {
    if (ports !== undefined) this.start(ports);
  }

  /** Starts to handle the commands of these receptors. */
  start(ports: DispatcherPorts, registrations: readonly ReceptorRegistration[] = []): void {
    this.#started = { ports, pipeline: new CommandPipeline(ports) };
    this.register(registrations);
  }

  /** Starts one handler actor per registration. */
  register(registrations: readonly ReceptorRegistration[]): void {
    if (this.#started === undefined) throw notStarted();
    const { guard, weightOf } = this.#started.ports;
    for (const { command, receptor, name, resultName } of registrations) {
      if (this.#handlers.has(command)) {
        throw new Problem('invalid-setup', {
          detail: `Command ${command.name} has two receptors; remove one.`,
        });
      }
      this.#commands.set(command.name, command);
      const exposeLoad = (load: () => HandlerLoad) => this.#loads.set(command.name, load);
      const keys = this.#keysOf(receptor.queue);
      const actor = createActor(commandHandler, {
        input: { name: command.name, receptor, exposeLoad, guard, keys, weightOf },
      });
      this.#handlers.set(command, {
        actor: actor.start(),
        receptor,
        keys,
        follows: 'not yet',
        name: name ?? receptorNameOf(receptor, command),
        resultName,
      });
    }
  }

  #keysOf(queue: string | undefined): CommandKeys {
    if (queue === undefined) return new CommandKeys();
    const keys = this.#keys.get(queue) ?? new CommandKeys();
    this.#keys.set(queue, keys);
    return keys;
  }

  /** Finds commands without a receptor at startup, not at their first request. */
  mustHandle(commands: Iterable<MessageClass>): void {
    const missing = [...commands]
      .filter((command) => !this.#handlers.has(command))
      .map((command) => command.name);
    if (missing.length === 0) return;
    throw new Problem('invalid-setup', {
      detail: `No receptor handles ${missing.join(', ')}; add a class that implements Receptor<${missing[0] ?? ''}, …> and register it.`,
    });
  }

  /** Bound to its dispatcher, because an application may pass the function on. */
  readonly localInvoke = <TResult>(
    command: Command,
    signal?: AbortSignal,
    context?: MutationContext,
  ): Promise<TResult> => {
    if (this.#started === undefined) return Promise.reject(notStarted());
    const { ports, pipeline } = this.#started;
    const handler = this.#handlers.get(command.constructor as MessageClass);
    if (handler === undefined) return Promise.reject(noReceptor(command));
    // A stopped actor receives no message: the command would never be answered.
    if (this.#stopped) return Promise.reject(new Problem('draining', { retryAfter: 1 }));
    const own = contextFor(signal, context, ports);
    if (isLate(own, context)) return Promise.reject(own.cancellation.reason);
    const refusal = refusalOf(command, own, context);
    if (refusal !== undefined) return Promise.reject(refusal);
    own.metadata['receptorName'] ??= handler.name;
    if (handler.resultName !== undefined) own.metadata['responseType'] ??= handler.resultName;
    const step = own.cause === undefined ? undefined : this.#steps.get(own.cause);
    const result = (
      step === undefined ? pipeline.run(handler, command, own) : this.#staged(handler, command, own, step)
    ) as Promise<TResult>;
    return own === context && runOf(own).isInLifecycle
      ? result
      : this.#withoutLifecycle(result, command, own, context);
  };

  /** The class of a command that has a receptor. */
  commandNamed(name: string): MessageClass<Command> | undefined {
    return this.#commands.get(name);
  }

  /** Commands that the caller who opened the step commits as one. */
  openStep(): OpenStep {
    return new OpenStep((work, command) => this.#started?.pipeline.stored(work, command));
  }

  /** Runs a command as part of a step, on behalf of the service itself. The caller commits the step. */
  async stage(command: Command, context: RequestContext, step: OpenStep): Promise<unknown> {
    if (this.#started === undefined) throw notStarted();
    const handler = this.#handlers.get(command.constructor as MessageClass);
    if (handler === undefined) throw noReceptor(command);
    if (this.#stopped) throw new Problem('draining', { retryAfter: 1 });
    runOf(context).flags ??= this.#started.ports.flags;
    context.metadata['receptorName'] ??= handler.name;
    if (handler.resultName !== undefined) context.metadata['responseType'] ??= handler.resultName;
    const { sealing } = this.#started.ports.store.upcasters ?? {};
    try {
      const isSealed = sealing?.has(command.constructor.name) === true;
      const plain = isSealed ? await sealing.openCommand(command) : command;
      return await this.#staged(handler, plain, context, step);
    } finally {
      context.cancellation.end();
    }
  }

  /** Reports a command that no endpoint is responsible for. */
  failed(command: Command, error: unknown, context: RequestContext): void {
    this.#started?.ports.onFailure?.(command, error, context);
  }

  #staged(handler: Handler, command: Command, context: RequestContext, step: OpenStep): Promise<unknown> {
    this.#steps.set(context, step);
    return this.#started === undefined
      ? Promise.reject(notStarted())
      : this.#started.pipeline.stage(handler, command, context, step);
  }

  /** For commands that no endpoint observes. */
  async #withoutLifecycle<TResult>(
    result: Promise<TResult>,
    command: Command,
    own: RequestContext,
    given: MutationContext | undefined,
  ): Promise<TResult> {
    try {
      return await result;
    } catch (error) {
      const isTriedAgain = this.#steps.has(own) && runsAgain(error);
      if (!runOf(own).isInLifecycle && !isTriedAgain) this.failed(command, error, own);
      throw error;
    } finally {
      if (own !== given) own.cancellation.end();
    }
  }

  get loads(): readonly CommandLoad[] {
    return [...this.#loads].map(([command, load]) => ({ command, ...load() }));
  }

  /** Refuses waiting and new commands; running commands may continue until their deadline. */
  stop(): void {
    this.#stopped = true;
    for (const { actor } of this.#handlers.values()) actor.stop();
  }
}

function contextFor(
  signal: AbortSignal | undefined,
  context: MutationContext | undefined,
  { deadlineMs, accessGuard: guard, flags }: DispatcherPorts,
): RequestContext {
  if (context instanceof RequestContext) {
    const run = runOf(context);
    if (!run.enterCommand()) return context.nested(signal);
    run.flags ??= flags;
    return context;
  }
  const cancellation = Cancellation.of(signal ?? context?.cancellationToken, deadlineMs);
  const caller = context?.identity && { identity: context.identity, headers: context.headers, guard };
  return new RequestContext({ transport: 'local', ...context, caller, cancellation, flagSource: flags });
}

/** Whether a command that was already given up invoked this one: its failure is already reported. */
const isLate = (own: RequestContext, given: MutationContext | undefined): boolean =>
  own.cancellation.aborted && (own.cause !== undefined || (own === given && runOf(own).unit !== undefined));

/**
 * A command on behalf of a caller needs that caller's permission. For an endpoint's own command, it was checked before
 * the body was read.
 */
function refusalOf(
  command: Command,
  own: RequestContext,
  given: MutationContext | undefined,
): Problem | undefined {
  const { caller } = own;
  if (caller?.guard === undefined || (own === given && runOf(own).isInLifecycle)) return undefined;
  const type = command.constructor as MessageClass;
  const required = commandEndpointOf(type)?.permission ?? 'authenticated';
  return caller.guard.refusalOf(caller.identity, required, { type: type.name }, undefined, own);
}

const notStarted = (): Problem =>
  new Problem('draining', { detail: 'The host has not started yet.', retryAfter: 1 });

const noReceptor = (command: Command): Problem =>
  new Problem('invalid-setup', { detail: `No receptor handles ${command.constructor.name}.` });

const receptorNameOf = (receptor: object, command: MessageClass): string => {
  const own = receptor.constructor.name;
  return own === 'Object' || own === '' ? `${command.name.replace(/Command$/, '')}Receptor` : own;
};
