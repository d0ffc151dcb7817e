import { createActor } from 'xstate';
import type { Command, MessageClass } from '../../contracts/message.js';
import type { MutationContext } from '../../contracts/mutation.js';
import { Problem } from '../../contracts/problems.js';
import type { Dispatcher, ReceptorRegistration } from '../../contracts/receptor.js';
import { Cancellation } from '../../runtime/cancellation.js';
import { RequestContext } from '../../runtime/request-context.js';
import { type CommandGuard, commandHandler, type HandlerLoad } from './command-handler.js';
import { CommandPipeline, type Handler, type PipelinePorts } from './command-pipeline.js';

export interface DispatcherPorts extends PipelinePorts {
  /** For commands that come without a context of their own. */
  readonly deadlineMs?: number;
  /** A command failed that no endpoint is responsible for. */
  readonly onFailure?: (command: Command, error: unknown, context: RequestContext) => void;
  /** Where several hosts protect each other from commands that block them. */
  readonly guard?: CommandGuard | undefined;
}

/** How busy the handler of one command is. */
export interface CommandLoad extends HandlerLoad {
  readonly command: string;
}

interface Started {
  readonly ports: DispatcherPorts;
  readonly pipeline: CommandPipeline;
}

/** Brings every command to its handler actor. Endpoints are bound to it before it starts; until then it refuses. */
export class LocalDispatcher implements Dispatcher {
  readonly #handlers = new Map<MessageClass, Handler>();
  readonly #loads = new Map<string, () => HandlerLoad>();
  #started: Started | undefined;
  #stopped = false;

  constructor(ports?: DispatcherPorts) {
    if (ports !== undefined) this.start(ports);
  }

  /** From here on it handles the commands of these receptors. */
  start(ports: DispatcherPorts, registrations: readonly ReceptorRegistration[] = []): void {
    this.#started = { ports, pipeline: new CommandPipeline(ports) };
    this.register(registrations);
  }

  /** Brings one handler actor to life per registration. */
  register(registrations: readonly ReceptorRegistration[]): void {
    if (this.#started === undefined) throw notStarted();
    const { guard } = this.#started.ports;
    for (const { command, receptor, name, resultName } of registrations) {
      if (this.#handlers.has(command)) {
        throw new Problem('invalid-setup', {
          detail: `Command ${command.name} has two receptors; keep one.`,
        });
      }
      const exposeLoad = (load: () => HandlerLoad) => this.#loads.set(command.name, load);
      const actor = createActor(commandHandler, {
        input: { name: command.name, receptor, exposeLoad, guard },
      });
      this.#handlers.set(command, {
        actor: actor.start(),
        receptor,
        name: name ?? receptorNameOf(receptor, command),
        resultName,
      });
    }
  }

  /** A command without a receptor is a mistake that should not wait for its first request. */
  mustHandle(commands: Iterable<MessageClass>): void {
    const missing = [...commands]
      .filter((command) => !this.#handlers.has(command))
      .map((command) => command.name);
    if (missing.length === 0) return;
    throw new Problem('invalid-setup', {
      detail: `No receptor handles ${missing.join(', ')}; add a class that implements Receptor<${missing[0] ?? ''}, …> and register it.`,
    });
  }

  /** Bound to its dispatcher: an application may pass it on by itself. */
  readonly localInvoke = <TResult>(
    command: Command,
    signal?: AbortSignal,
    context?: MutationContext,
  ): Promise<TResult> => {
    if (this.#started === undefined) return Promise.reject(notStarted());
    const { ports, pipeline } = this.#started;
    const handler = this.#handlers.get(command.constructor as MessageClass);
    if (handler === undefined) return Promise.reject(noReceptor(command));
    // A stopped actor takes no message: the command would wait for an answer that never comes.
    if (this.#stopped) return Promise.reject(new Problem('draining', { retryAfter: 1 }));
    const own = contextFor(signal, context, ports.deadlineMs);
    if (isLate(own, context)) return Promise.reject(own.cancellation.reason);
    own.metadata['receptorName'] ??= handler.name;
    if (handler.resultName !== undefined) own.metadata['responseType'] ??= handler.resultName;
    const result = pipeline.run(handler, command, own) as Promise<TResult>;
    return own === context && own.inLifecycle
      ? result
      : this.#withoutLifecycle(result, command, own, context);
  };

  /** No endpoint sees how it ends. */
  async #withoutLifecycle<TResult>(
    result: Promise<TResult>,
    command: Command,
    own: RequestContext,
    given: MutationContext | undefined,
  ): Promise<TResult> {
    try {
      return await result;
    } catch (error) {
      if (!own.inLifecycle) this.#started?.ports.onFailure?.(command, error, own);
      throw error;
    } finally {
      if (own !== given) own.cancellation.end();
    }
  }

  get loads(): readonly CommandLoad[] {
    return [...this.#loads].map(([command, load]) => ({ command, ...load() }));
  }

  /** Commands that wait or still come are refused; those that run are left to their deadline. */
  stop(): void {
    this.#stopped = true;
    for (const { actor } of this.#handlers.values()) actor.stop();
  }
}

function contextFor(
  signal: AbortSignal | undefined,
  context: MutationContext | undefined,
  deadlineMs: number | undefined,
): RequestContext {
  if (context instanceof RequestContext) {
    if (context.unit?.isOpen === true || (context.inLifecycle && !context.dispatchDue))
      return context.nested(signal);
    context.dispatchDue = false;
    return context;
  }
  const cancellation = Cancellation.of(signal ?? context?.cancellationToken, deadlineMs);
  return new RequestContext({ transport: 'local', ...context, cancellation });
}

/** Invoked by a command that was given up before: its own failure is reported already. */
const isLate = (own: RequestContext, given: MutationContext | undefined): boolean =>
  own.cancellation.aborted && (own.cause !== undefined || (own === given && own.unit !== undefined));

const notStarted = (): Problem =>
  new Problem('draining', { detail: 'The host has not started yet.', retryAfter: 1 });

const noReceptor = (command: Command): Problem =>
  new Problem('invalid-setup', { detail: `No receptor handles ${command.constructor.name}.` });

const receptorNameOf = (receptor: object, command: MessageClass): string => {
  const own = receptor.constructor.name;
  return own === 'Object' || own === '' ? `${command.name.replace(/Command$/, '')}Receptor` : own;
};
