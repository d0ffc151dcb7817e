import type { StoredEvent } from './event-store.js';
import type { Command, Event } from './message.js';
import type { MutationContext } from './mutation-context.js';
import type { Uuid } from './scalars.js';

/** Command classes by their names. */
export type CommandClasses = Readonly<Record<string, abstract new (...args: never[]) => Command>>;

/** New events, and the result of the command. */
export interface DecisionWithResult<TEvent> {
  readonly events: TEvent | readonly TEvent[];
  readonly result: unknown;
}

export type Decision<TEvent> = TEvent | readonly TEvent[] | DecisionWithResult<TEvent>;

/**
 * Decides commands from the state of one stream. The runtime keeps that state, so a long stream costs no more than a
 * short one.
 *
 * @example
 * ```ts
 * readonly decide = { BookSale: ({ orderId, amount }: BookSale) => SaleBooked.of({ orderId, amount }) };
 * evolve = (books: Books, _: StoredEvent<SaleBooked>): Books => ({ ...books, sales: books.sales + 1 });
 * ```
 */
export interface Decider<
  TState,
  TEvent extends Event = Event,
  TCommands extends CommandClasses = CommandClasses,
> {
  /** In kebab-case. The kept states are found by `name` and `version`. */
  readonly name: string;
  /** Raise it when `evolve` or the shape of the state changes: kept states of other versions are not used. */
  readonly version: number;
  readonly commands: TCommands;
  /** Commands of one stream run one at a time. */
  stream(command: InstanceType<TCommands[keyof TCommands]>): Uuid;
  /** The state of a stream without events, as plain JSON data. */
  initial(): TState;
  /**
   * Pure: replace the state, never change it. It gets every event of the stream; for events that it does not know,
   * return the state unchanged.
   */
  evolve(state: TState, event: StoredEvent<TEvent>): TState;
  /**
   * Returns new events, or `[]` for none, or throws a Problem. It must not wait for anything. The context says who asks:
   * compare its tenant with that of the events, which `evolve` keeps in the state.
   */
  readonly decide: {
    readonly [Name in keyof TCommands]: (
      command: InstanceType<TCommands[Name]>,
      state: TState,
      context: MutationContext,
    ) => Decision<TEvent>;
  };
}

/** A decider, and the declared result types of its commands, by command name. */
export interface DeciderRegistration {
  readonly decider: AnyDecider;
  readonly results?: Readonly<Record<string, string>>;
}

/** A decider whose types do not matter. */
export interface AnyDecider {
  readonly name: string;
  readonly version: number;
  readonly commands: CommandClasses;
  stream(command: never): Uuid;
  initial(): unknown;
  evolve(state: never, event: never): unknown;
  readonly decide: Readonly<
    Record<string, (command: never, state: never, context: MutationContext) => unknown>
  >;
}
