import { type AnyStateMachine, fromPromise, type PromiseActorLogic, setup } from 'xstate';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Command, Event } from '../../contracts/message.js';
import type { Duration } from '../../contracts/scalars.js';
import { millisecondsOf } from '../../runtime/timers/duration.js';

/** Message classes by their names. */
type Classes<T> = Readonly<Record<string, abstract new (...args: never[]) => T>>;

/** How a machine sees an event of the log: its type is the key of the class in `events`. */
type Happened<E extends Classes<Event> = Classes<Event>> = {
  [Name in keyof E & string]: {
    readonly type: Name;
    readonly data: InstanceType<E[Name]>;
    /** With its ids, scope and times. */
    readonly event: StoredEvent<InstanceType<E[Name]>>;
  };
}[keyof E & string];

/** How a machine sees that a receptor refused one of its commands. */
type CommandRefused<C extends Classes<Command> = Classes<Command>> = {
  [Name in keyof C & string]: {
    readonly type: `${Name}.refused`;
    readonly problem: { readonly code: string; readonly detail?: string };
    readonly command: InstanceType<C[Name]>;
  };
}[keyof C & string];

/** The messages of a process. */
export interface ProcessMessages {
  readonly events: Classes<Event>;
  readonly commands: Classes<Command>;
}

interface ProcessTypes<
  E extends Classes<Event>,
  C extends Classes<Command>,
  TContext,
  TDelay extends string,
  TRaised,
> {
  /** The events that the process takes, each under the name of its class. */
  readonly events: E;
  /** The commands that it may send, or `invoke` where an effect does them. */
  readonly commands: C;
  /** JSON data that is stored after every step. */
  readonly context: TContext;
  /** By name, for `after` and `raise`: a duration such as `PT15M`, or milliseconds. */
  readonly delays?: Readonly<Record<TDelay, Duration | number>>;
  /** Events that the machine raises itself: `shape<{ type: 'remind' }>()`. */
  readonly raises?: TRaised;
}

/**
 * States the type of something that has no value yet: `context: shape<{ orderId: Uuid }>()`. An example value is allowed, too.
 *
 * @example
 * ```ts
 * processSetup({ events, commands, context: shape<{ orderId: Uuid; reason: string }>() });
 * processSetup({ events, commands, context: shape({ orderId: '', reason: 'none' }) });
 * ```
 */
export const shape = <T>(example?: T): T => example ?? ({} as T);

/** Represents an effect in a machine; it never runs, because a row of the store does. */
const asked = fromPromise<never, Command>(() => new Promise<never>(() => undefined));

/** Whether this is what `invoke` of a command uses. */
export const isAsked = (actor: unknown): boolean => actor === asked;

/** `invoke` of a command asks for its effect: its output is what the effect returned, its error has `code` and `detail`. */
type Asked<E extends Classes<Event>, C extends Classes<Command>> = {
  [Name in keyof C & string]: PromiseActorLogic<InstanceType<E[keyof E & string]>, InstanceType<C[Name]>>;
};

const noGuards = {};
type NoNames = typeof noGuards;

/** Bounds an endless `always`, which would stop the host. */
const maxIterations = 1000;

/**
 * The parts of a process. You write the machine in XState's language; its `send` and `after` are durable.
 *
 * @example
 * ```ts
 * const setup = processSetup({ events: { OrderPaid }, commands: { CancelOrder }, context: shape<{ orderId: Uuid }>() });
 * const machine = setup.createMachine({ id: 'payment', initial: 'waiting', … });
 * ```
 */
export function processSetup<
  const E extends Classes<Event>,
  const C extends Classes<Command>,
  TContext extends object,
  TDelay extends string = never,
  TRaised extends { readonly type: string } = never,
>(types: ProcessTypes<E, C, TContext, TDelay, TRaised>) {
  const { events, commands, delays } = types;
  // The step sends what the machine gives to it.
  const send: (args: unknown, command: InstanceType<C[keyof C & string]>) => void = () => undefined;
  const actors = Object.fromEntries(Object.keys(commands).map((name) => [name, asked]));
  const parts = setup<
    TContext,
    Happened<E> | CommandRefused<C> | TRaised,
    Asked<E, C>,
    NoNames,
    { send: InstanceType<C[keyof C & string]> },
    NoNames,
    TDelay,
    string,
    Happened<E>
  >({ actors: actors as never, actions: { send }, guards: noGuards, delays: millisecondsByName(delays) });
  return bounded(parts, { events, commands });
}

function millisecondsByName<TName extends string>(
  delays: Readonly<Record<TName, Duration | number>> = {} as Record<TName, never>,
): Record<TName, number> {
  const all = Object.entries<Duration | number>(delays).map(([name, delay]) => [
    name,
    typeof delay === 'number' ? delay : millisecondsOf(delay, `delays.${name}`, 'invalid-setup'),
  ]);
  return Object.fromEntries(all) as Record<TName, number>;
}

interface Parts {
  readonly createMachine: (config: object) => { readonly config: object };
  readonly extend: (more: object) => object;
}

function bounded<T extends object>(parts: T, messages: ProcessMessages): T {
  const { createMachine, extend } = parts as unknown as Parts;
  const own: Parts = {
    createMachine: (config) => {
      const machine = createMachine({ ...config, options: { maxIterations } });
      messagesByConfig.set(machine.config, messages);
      return machine;
    },
    extend: (more) => bounded(extend(more), messages),
  };
  return { ...parts, ...own };
}

/** By the config, which `machine.provide(…)` keeps. */
const messagesByConfig = new WeakMap<object, ProcessMessages>();

/** Undefined for a machine that was not made with `processSetup`. */
export const messagesOf = (machine: AnyStateMachine): ProcessMessages | undefined =>
  messagesByConfig.get(machine.config);
