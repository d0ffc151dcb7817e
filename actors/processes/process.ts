import type { AnyStateMachine } from 'xstate';
import type { EventOrigin } from '../../contracts/event-origin.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event, MessageClass } from '../../contracts/message.js';
import type { Json, Uuid } from '../../contracts/scalars.js';

/** A timer that a process waits for. */
export interface PendingTimer {
  readonly id: Uuid;
  /** The type of the event that it raises, or of the command. */
  readonly type: string;
}

/** What is stored of a process between two steps. */
export interface ProcessSnapshot {
  /** The state, as XState writes it: `'reserving'`, `{ open: 'waiting' }`. */
  readonly value: Json;
  readonly context: Json;
  /** The states to which history states return. */
  readonly historyValue?: Json | undefined;
  /** By XState's send id: for `after` that is `xstate.after.<delay>.<id of the state>`. */
  readonly timers: Readonly<Record<string, PendingTimer>>;
  /** The effects that it has asked for with `invoke`, by the id of the invoke; the type is that of the command. */
  readonly effects?: Readonly<Record<string, PendingTimer>>;
  /** How many timers without an id were set so far: each gets an id of its own. */
  readonly raised: number;
}

/**
 * A long-lived process: an XState machine that is fed by events, and sends commands. Every step is one commit.
 *
 * @example
 * ```ts
 * class OrderFulfilment implements Process<typeof machine> {
 *   readonly name = 'order-fulfilment'; readonly version = 1; readonly machine = machine; readonly starts = [OrderCreated];
 *   key = ({ payload }: StoredEvent<{ orderId: Uuid }>) => payload.orderId;
 * }
 * ```
 */
export interface Process<TMachine extends AnyStateMachine = AnyStateMachine> {
  /** In kebab-case. */
  readonly name: string;
  /** Raise it when the machine changes: running instances are then taken over, or parked and named. */
  readonly version: number;
  /** Made with `processSetup`. */
  readonly machine: TMachine;
  /** Events that start an instance; the others are passed when there is none. */
  readonly starts: readonly MessageClass<Event>[];
  /** Whose events: by default those of the own store; `others` and `all` subscribe to those of other stores. */
  readonly origin?: EventOrigin;
  /** Which instance an event is for. */
  key(event: StoredEvent): string;
  /** Machines of earlier versions: instances run to their end with the one they were started with. */
  readonly older?: Readonly<Record<number, AnyStateMachine>>;
  /** Turns what an earlier version has stored into what this one understands; timers may be renamed or left out. */
  migrate?(snapshot: ProcessSnapshot, from: number): ProcessSnapshot;
}
