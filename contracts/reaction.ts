import type { EventOrigin } from './event-origin.js';
import type { StoredEvent } from './event-store.js';
import type { Command, Event, MessageClass } from './message.js';
import type { Problem } from './problems.js';
import type { Duration, Timestamp } from './scalars.js';

/** When a timer is due, and the name by which it can be cancelled or replaced. */
export interface TimerOptions {
  /** Counted from the commit that sets it. */
  readonly in?: Duration;
  /** A time in the past means at once; at most ten years ahead. */
  readonly at?: Timestamp;
  /** A domain name, such as `reminder`; without one, the timer cannot be cancelled by name. */
  readonly name?: string;
  /** The subject of the name, such as the id of an order. */
  readonly key?: string;
  /** What happens if a timer of this name and key is already set. */
  readonly again?: 'replace' | 'keep';
  /** A timer that is later than this is dropped and reported. Default: it always fires. */
  readonly expires?: Duration;
}

/** A command that is sent later. */
export interface Later {
  readonly kind: 'later';
  readonly command: Command;
  readonly options: TimerOptions;
}

/** Cancels the timer of a name and key. */
export interface Unscheduled {
  readonly kind: 'unschedule';
  readonly name: string;
  readonly key: string;
}

/** What a reaction returns: data, not effects. */
export type Sent = Command | Later | Unscheduled;

/**
 * Sends a command later: `later(CancelOrder.of({ … }), { in: 'PT15M', name: 'payment', key: orderId })`.
 *
 * @example
 * ```ts
 * react = ({ payload: { orderId } }: StoredEvent<OrderCreated>) =>
 *   later(CancelOrder.of({ orderId, reason: 'unpaid' }), { in: 'PT15M', name: 'payment', key: orderId });
 * ```
 */
export const later = (command: Command, options: TimerOptions): Later => ({
  kind: 'later',
  command,
  options,
});

/**
 * Cancels the timer that was set under this name and key, if there is one.
 *
 * @example
 * ```ts
 * react = ({ payload: { orderId } }: StoredEvent<OrderPaid>) =>
 *   unschedule('payment', orderId);
 * ```
 */
export const unschedule = (name: string, key = ''): Unscheduled => ({ kind: 'unschedule', name, key });

/**
 * Turns an event into commands. It is pure: no clock, no new ids, no I/O, because it may run again.
 *
 * @example
 * ```ts
 * class BookPaidOrders implements Reaction<OrderPaid> {
 *   readonly name = 'book-paid-orders'; readonly events = [OrderPaid]; key = () => 'books';
 *   react = ({ payload: { orderId, total } }: StoredEvent<OrderPaid>) => BookSale.of({ orderId, amount: total });
 * }
 * ```
 */
export interface Reaction<TEvent extends Event = Event> {
  /** In kebab-case; the name of its cursor, which starts at the head of the log. */
  readonly name: string;
  readonly events: readonly MessageClass<TEvent>[];
  /** Whose events: by default those of the own store; `others` and `all` subscribe to those of other stores. */
  readonly origin?: EventOrigin;
  react(event: StoredEvent<TEvent>): Sent | readonly Sent[] | void;
  /** Events of the same key are handled in order; by default the stream. */
  key?(event: StoredEvent<TEvent>): string;
  /** Where the cursor starts the first time a host registers the reaction. */
  readonly from?: 'now' | 'start';
  /** Own events that state an `occurredAt` more than a minute before they are recorded. */
  readonly imported?: 'skip' | 'react';
  /** Waits until these perspectives have seen the event. */
  readonly after?: readonly string[];
  /** Sent instead if a receptor refuses a command; `[]` sends nothing. Without it, the key is parked. */
  refused?(event: StoredEvent<TEvent>, problem: Problem): Sent | readonly Sent[] | void;
  /** How often a failing event is tried before its key is parked (default 8). */
  readonly attempts?: number;
}
