import type { AnyStateMachine, ContextFrom } from 'xstate';
import type { EventOrigin } from '../../contracts/event-origin.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { RequiredPermission } from '../../contracts/identity.js';
import type { Event, MessageClass } from '../../contracts/message.js';
import type { Json, Uuid } from '../../contracts/scalars.js';

/** A timer that a process waits for. */
export interface PendingTimer {
  readonly id: Uuid;
  /** The type of the event that it raises, or of the command. */
  readonly type: string;
}

/** The stored state of a process between two steps. */
export interface ProcessSnapshot {
  /** The state, as XState writes it: `'reserving'`, `{ open: 'waiting' }`. */
  readonly value: Json;
  readonly context: Json;
  /** The states to which history states return. */
  readonly historyValue?: Json | undefined;
  /** By XState's send id, which for `after` is `xstate.after.<delay>.<id of the state>`. */
  readonly timers: Readonly<Record<string, PendingTimer>>;
  /** The effects that it has asked for with `invoke`, by the id of the invoke; the type is that of the command. */
  readonly effects?: Readonly<Record<string, PendingTimer>>;
  /** The number of timers without an id that were set so far; each gets an id of its own. */
  readonly raised: number;
}

/**
 * A long-lived process: an XState machine that takes events and sends commands. Every step is one commit.
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
  /** Raise it when the machine changes: running instances are then taken over, or parked and reported. */
  readonly version: number;
  /** Made with `processSetup`. */
  readonly machine: TMachine;
  /** Events that start an instance. Other events are skipped if there is none. */
  readonly starts: readonly MessageClass<Event>[];
  /** Whose events: by default those of the own store; `others` and `all` subscribe to those of other stores. */
  readonly origin?: EventOrigin;
  /** The key of the instance that an event belongs to. */
  key(event: StoredEvent): string;
  /** Machines of earlier versions: each instance keeps the machine that it was started with. */
  readonly older?: Readonly<Record<number, AnyStateMachine>>;
  /** Converts the snapshot of an earlier version for this one; timers may be renamed or left out. */
  migrate?(snapshot: ProcessSnapshot, from: number): ProcessSnapshot;
  /** Where callers may look at an instance and wait for it: `GET <route>/{key}`. It needs `permission` and `view`. */
  readonly route?: string;
  /** What a caller of the route needs. Instances of other tenants are not found. */
  readonly permission?: RequiredPermission;
  /** What callers see: nothing else of the context is shown. It may get a context that an earlier version has stored. */
  view?(context: ContextFrom<TMachine>, state: string): object;
}
