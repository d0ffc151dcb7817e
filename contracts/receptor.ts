import type { EventOrigin } from './event-origin.js';
import type { AppendOptions, StoredEvent } from './event-store.js';
import type { Flags } from './flags.js';
import type { Command, Event, MessageClass, SystemEvent } from './message.js';
import type { ModelQuery, PerspectiveClass } from './model-query.js';
import type { MutationContext } from './mutation-context.js';
import type { TimerOptions } from './reaction.js';
import type { Duration, Long, Uuid } from './scalars.js';
import type { StagedEvent } from './unit-store.js';

export interface StreamRead {
  /** Includes a stream in the conflict check even if it is only read. */
  readonly guard?: boolean;
  /** Leaves out the events before this position; the conflict check still covers the whole stream. */
  readonly from?: Long;
  /**
   * Whose events: by default those of the own store. Received events are interleaved in the order in which they
   * happened; the conflict check covers only own events.
   */
  readonly origin?: EventOrigin;
}

/** The owner of a reserved name. */
export interface ReservationOptions {
  /** The same owner may reserve a name again. */
  readonly owner: string;
  /** The reservation expires by itself after this. Default: it lasts until it is released. */
  readonly for?: Duration;
}

/**
 * The working context of a receptor: everything is staged here and committed once, after the receptor returns.
 *
 * @example
 * ```ts
 * for await (const event of work.read(orderId)) order = orderAfter(order, event);
 * work.append(orderId, OrderShipped.of({ orderId, carrier }));
 * ```
 */
export interface UnitOfWork {
  readonly context: MutationContext;
  /**
   * Aborts when the caller has gone, or the command's deadline has passed. Pass it to anything that may take long.
   */
  readonly signal: AbortSignal;
  /** The feature flags for the caller of the command. */
  readonly flags: Flags;
  /** Stages events. Fails the commit if a stream that this unit has read has moved on, unless `expectedPosition` is 'any'. */
  append(streamId: Uuid, events: Event | readonly Event[], options?: AppendOptions): readonly StagedEvent[];
  /** Reads what is stored, then what is staged. */
  read(streamId: Uuid, options?: StreamRead): AsyncIterable<StoredEvent>;
  /**
   * The row of a perspective of this service, for the tenant of the caller; undefined if there is none. It is not part
   * of the conflict check: it may be a few milliseconds old, and lacks what is staged.
   */
  model<TModel>(perspective: PerspectiveClass<TModel>, key: string): Promise<TModel | undefined>;
  /** The rows that a query selects; not part of the conflict check either. */
  models<TModel>(perspective: PerspectiveClass<TModel>, query?: ModelQuery): Promise<readonly TModel[]>;
  /** Stages a system event. */
  emit(event: SystemEvent): void;
  /** Sends a command later. The timer is set by this commit, fires once, and survives every host. */
  schedule(command: Command, options: TimerOptions): void;
  /** Cancels the timer of a name and key, if there is one; it cannot fire after this commit. */
  unschedule(name: string, key?: string): void;
  /**
   * Sends a command after this commit: at once, or when the options say. Its handler may be an effect. Returns the id of
   * what waits, which an effect hands on to the other system.
   */
  send(command: Command, options?: TimerOptions): Uuid;
  /** Cancels what was sent under a name and key and has not ended: after this commit its outcome is not stored. */
  unsend(name: string, key?: string): void;
  /** Takes a unique name, such as an e-mail address; the commit fails with `already-reserved` if another owner has it. */
  reserve(name: string, value: string, options: ReservationOptions): void;
  /** Gives a name back, if this owner has it. */
  release(name: string, value: string, options: Pick<ReservationOptions, 'owner'>): void;
  /**
   * Runs after the commit. The response does not wait for it, and it is lost if the host dies: use `schedule` for
   * anything that must happen.
   */
  defer(task: () => void | Promise<void>): void;
}

/**
 * Handles one command type.
 *
 * @example
 * ```ts
 * class ShipOrderReceptor implements Receptor<ShipOrder, void> {
 *   handle = ({ orderId }: ShipOrder, work: UnitOfWork) => void work.append(orderId, OrderShipped.of({ orderId }));
 * }
 * ```
 */
export interface Receptor<TCommand extends Command, TResult> {
  handle(command: TCommand, work: UnitOfWork): TResult | Promise<TResult>;
  /**
   * Commands with the same key run one at a time. A command with several keys, at most 8, runs when it is first in line
   * for each of them; later commands do not overtake it.
   */
  key?(command: TCommand): string | readonly string[];
  /** Receptors with the same queue share their keys: only one of all their commands with a key runs at a time. */
  readonly queue?: string;
  /** How often the receptor runs again when its commit fails with `stream-conflict`. */
  readonly retryOnConflict?: number;
  /** How many commands run at once (default 256). */
  readonly concurrency?: number;
  /** How many more may wait (default 1024). */
  readonly mailbox?: number;
  /** Events of other services to store in this log; the host subscribes to them. */
  readonly events?: readonly MessageClass<Event>[];
}

/**
 * Wraps the handling of every command; the first one registered is outermost.
 *
 * @example
 * ```ts
 * const timed: Behavior = { handle: (command, next) => measured(command.constructor.name, next) };
 * service.with(({ behaviors }) => void behaviors.push(timed));
 * ```
 */
export interface Behavior {
  /** Set by a behavior that audits commands; a service has one. */
  readonly auditsCommands?: boolean;
  handle<TResult>(command: Command, next: () => Promise<TResult>, context: MutationContext): Promise<TResult>;
}

/** A receptor and the command class it handles. */
export interface ReceptorRegistration<TCommand extends Command = Command, TResult = unknown> {
  readonly command: MessageClass<TCommand>;
  readonly receptor: Receptor<TCommand, TResult>;
  readonly name?: string;
  /** The declared name of the result, for the audit; absent when the command returns nothing. */
  readonly resultName?: string;
}

/**
 * Sends a command to its receptor in this process.
 *
 * @example
 * ```ts
 * create: (dispatcher: Dispatcher) => create(dispatcher, { clock }),
 * await dispatcher.localInvoke(CloseBooks.of({ day }));
 * ```
 */
export interface Dispatcher {
  /** Runs the command's receptor in its own unit of work and resolves after the commit. */
  localInvoke<TResult>(command: Command, signal?: AbortSignal, context?: MutationContext): Promise<TResult>;
}
