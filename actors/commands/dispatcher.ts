import { type ActorRefFrom, createActor } from 'xstate';
import type { Command, MessageClass } from '../../contracts/message.js';
import type { MutationContext } from '../../contracts/mutation.js';
import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import type { Behavior, Dispatcher, Receptor, ReceptorRegistration } from '../../contracts/receptor.js';
import type { StagedRecord, UnitStore } from '../../contracts/unit.js';
import { Cancellation } from '../../runtime/cancellation.js';
import { type CommandTrace, RequestContext } from '../../runtime/request-context.js';
import { isThenable } from '../../runtime/thenable.js';
import { inSpan } from '../../runtime/tracing.js';
import { StagedUnit, type UnitStaging } from '../../runtime/unit-of-work.js';
import { type CommandGuard, commandHandler, type HandlerLoad } from './command-handler.js';
import { HandlerTicket } from './handler-ticket.js';
import { untilAborted } from './until-aborted.js';

export interface DispatcherPorts {
  readonly store: UnitStore;
  /** Outermost first. */
  readonly behaviors?: readonly Behavior[];
  readonly staging?: UnitStaging;
  /** The records of a unit are stored now. */
  readonly committed?: (records: readonly StagedRecord[]) => void;
  /** For commands that come without a context of their own. */
  readonly deadlineMs?: number;
  /** A command failed that no endpoint is responsible for. */
  readonly onFailure?: (command: Command, error: unknown, context: RequestContext) => void;
  /** A task deferred by a receptor failed; the answer was given before. */
  readonly onDeferredFailure?: (error: unknown, context: RequestContext) => void;
  /** Where several hosts protect each other from commands that block them. */
  readonly guard?: CommandGuard | undefined;
}

/** How busy the handler of one command is. */
export interface CommandLoad extends HandlerLoad {
  readonly command: string;
}

interface Handler {
  readonly actor: ActorRefFrom<typeof commandHandler>;
  readonly receptor: Receptor<Command, unknown>;
  readonly name: string;
  readonly resultName: string | undefined;
}

/** Brings every command to its handler actor, in a unit of work that is committed once. */
export class LocalDispatcher implements Dispatcher {
  readonly #handlers = new Map<MessageClass, Handler>();
  readonly #loads = new Map<string, () => HandlerLoad>();
  readonly #ports: DispatcherPorts;
  #stopped = false;

  constructor(ports: DispatcherPorts) {
    this.#ports = ports;
  }

  /** Brings one handler actor to life per registration. */
  register(registrations: readonly ReceptorRegistration[]): void {
    for (const { command, receptor, name, resultName } of registrations) {
      if (this.#handlers.has(command)) {
        throw new Problem('invalid-setup', {
          detail: `Command ${command.name} has two receptors; keep one.`,
        });
      }
      const shows = (load: () => HandlerLoad) => this.#loads.set(command.name, load);
      const actor = createActor(commandHandler, {
        input: { name: command.name, receptor, shows, guard: this.#ports.guard },
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

  localInvoke<TResult>(command: Command, signal?: AbortSignal, context?: MutationContext): Promise<TResult> {
    const handler = this.#handlers.get(command.constructor as MessageClass);
    if (handler === undefined) return Promise.reject(noReceptor(command));
    // A stopped actor takes no message: the command would wait for an answer that never comes.
    if (this.#stopped) return Promise.reject(new Problem('draining', { retryAfter: 1 }));
    const own = this.#contextFor(signal, context);
    if (isLate(own, context)) return Promise.reject(own.cancellation.reason);
    own.metadata['receptorName'] ??= handler.name;
    if (handler.resultName !== undefined) own.metadata['responseType'] ??= handler.resultName;
    const result = this.#inUnit(handler, command, own) as Promise<TResult>;
    return own === context && own.inLifecycle ? result : this.#onItsOwn(result, command, own, context);
  }

  /** No endpoint sees how it ends. */
  async #onItsOwn<TResult>(
    result: Promise<TResult>,
    command: Command,
    own: RequestContext,
    given: MutationContext | undefined,
  ): Promise<TResult> {
    try {
      return await result;
    } catch (error) {
      if (!own.inLifecycle) this.#ports.onFailure?.(command, error, own);
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

  #contextFor(signal: AbortSignal | undefined, context: MutationContext | undefined): RequestContext {
    if (context instanceof RequestContext) {
      if (context.unit?.isOpen === true || (context.inLifecycle && !context.dispatchDue))
        return context.nested(signal);
      context.dispatchDue = false;
      return context;
    }
    const cancellation = Cancellation.of(signal ?? context?.cancellationToken, this.#ports.deadlineMs);
    return new RequestContext({ transport: 'local', ...context, cancellation });
  }

  async #inUnit(handler: Handler, command: Command, context: RequestContext): Promise<unknown> {
    for (let triesLeft = handler.receptor.retryOnConflict ?? 0; ; triesLeft--) {
      const work = new StagedUnit(context, this.#ports.store, this.#ports.staging);
      const ticket = new HandlerTicket(command, context, work);
      context.unit = work;
      try {
        const pending = inSpan(context, handler.name, 'internal', () => this.#handled(handler, ticket));
        const result = isThenable(pending) ? await untilAborted(pending, context.cancellation) : pending;
        if (this.#mustCommit(work)) await this.#commit(work, ticket, result);
        work.stored();
        if (work.deferred.length > 0) this.#runDeferred(work);
        return result;
      } catch (error) {
        if (triesLeft <= 0 || !(error instanceof Problem) || error.code !== 'stream-conflict') throw error;
      } finally {
        // The context keeps it, so that what goes on after the abort finds it closed.
        work.close();
        handler.actor.send({ type: 'leave', ticket });
      }
    }
  }

  /** What is there at once is not waited for. */
  #handled(handler: Handler, ticket: HandlerTicket): unknown {
    const { behaviors = [] } = this.#ports;
    return behaviors.length === 0
      ? ticket.handledBy(handler.actor)
      : this.#throughBehaviors(handler, ticket, 0);
  }

  async #throughBehaviors(handler: Handler, ticket: HandlerTicket, index: number): Promise<unknown> {
    const behavior = this.#ports.behaviors?.[index];
    if (behavior === undefined) return ticket.handledBy(handler.actor);
    const next = () => this.#throughBehaviors(handler, ticket, index + 1);
    return behavior.handle(ticket.command, next, ticket.context);
  }

  #mustCommit(work: StagedUnit): boolean {
    const { cancellation, idempotency } = work.context;
    if (cancellation.aborted) throw cancellation.reason;
    work.close();
    return idempotency !== undefined || !work.isEmpty;
  }

  async #commit(work: StagedUnit, { command }: HandlerTicket, result: unknown): Promise<void> {
    const { context } = work;
    const { idempotency } = context;
    if (idempotency !== undefined) {
      const body = idempotency.encode(result);
      work.outcome = {
        key: idempotency.key,
        fingerprint: idempotency.fingerprint,
        status: body === null ? 204 : 200,
        body,
      };
    }
    await inSpan(context, 'append', 'client', () =>
      context.trace === undefined
        ? this.#ports.store.commit(work, context.cancellationToken)
        : this.#tracedCommit(work, context.trace, command),
    );
    context.committedPosition = lastPositionOf(work);
    context.committedFrom = work.events[0]?.globalPosition;
    this.#ports.committed?.(work.records);
    if (work.outcome !== undefined && idempotency !== undefined)
      idempotency.stored = { body: work.outcome.body };
  }

  async #tracedCommit(work: StagedUnit, trace: CommandTrace, command: Command): Promise<void> {
    const { name } = command.constructor;
    trace.message(name, 'lifecycle', 'store', 'commit');
    try {
      await this.#ports.store.commit(work, work.context.cancellationToken);
      trace.message(name, 'store', 'lifecycle', 'committed');
    } catch (error) {
      trace.message(name, 'store', 'lifecycle', 'refused', error);
      throw error;
    }
  }

  #runDeferred(work: StagedUnit): void {
    for (const task of work.deferred) {
      void (async () => task())().catch((error: unknown) =>
        this.#ports.onDeferredFailure?.(error, work.context),
      );
    }
  }
}

/** Invoked by a command that was given up before: its own failure is reported already. */
const isLate = (own: RequestContext, given: MutationContext | undefined): boolean =>
  own.cancellation.aborted && (own.cause !== undefined || (own === given && own.unit !== undefined));

/** The records of a unit follow its events without a gap. */
function lastPositionOf({ events, records }: StagedUnit): Long | undefined {
  const last = events.at(-1)?.globalPosition;
  return last === undefined ? undefined : last + records.length;
}

const noReceptor = (command: Command): Problem =>
  new Problem('invalid-setup', { detail: `No receptor handles ${command.constructor.name}.` });

const receptorNameOf = (receptor: object, command: MessageClass): string => {
  const own = receptor.constructor.name;
  return own === 'Object' || own === '' ? `${command.name.replace(/Command$/, '')}Receptor` : own;
};
