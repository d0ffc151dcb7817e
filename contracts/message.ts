import type { Timestamp, Uuid } from './scalars.js';

declare const brand: unique symbol;

/**
 * Asks for something; declared once, handled by one receptor.
 *
 * @example
 * ```ts
 * export class ShipOrder extends Command { orderId!: Uuid; }
 * const command = ShipOrder.of({ orderId });
 * ```
 */
export abstract class Command {
  declare readonly [brand]?: 'command';

  /** Type-checked construction of an instance: `CreateOrder.of({ … })`. */
  static of<T extends Command>(this: new () => T, init: Properties<T>): T {
    return Object.assign(new this(), init);
  }
}

/**
 * Reports something that happened.
 *
 * @example
 * ```ts
 * export class OrderShipped extends Event { orderId!: Uuid; }
 * work.append(orderId, OrderShipped.of({ orderId }));
 * ```
 */
export abstract class Event {
  declare readonly [brand]?: 'event' | 'system-event';

  static of<T extends Event>(this: new () => T, init: Properties<T>): T {
    return Object.assign(new this(), init);
  }
}

/**
 * An event about the service itself: stored in the system stream, and kept local unless the service broadcasts.
 *
 * @example
 * ```ts
 * export class CacheCleared extends SystemEvent { name!: string; }
 * work.emit(CacheCleared.of({ name: 'prices' }));
 * ```
 */
export abstract class SystemEvent extends Event {
  declare readonly [brand]?: 'system-event';
}

/** The data members of a message class. */
export type Properties<T> = Omit<T, typeof brand>;

/** A message class; its name is the wire name. */
export type MessageClass<T = unknown> = abstract new (...args: never[]) => T;

/** A message class or its wire name. */
export type MessageType = MessageClass | string;

/** The version that new messages of a class are written with: its `static version`, or 1. */
export function versionOf(type: object): number {
  const { version } = type as { readonly version?: unknown };
  return typeof version === 'number' && Number.isSafeInteger(version) && version > 0 ? version : 1;
}

export const typeNameOf = (type: MessageType): string => (typeof type === 'string' ? type : type.name);

/** Who acts, and for whom; flat on the wire, with lists joined by commas. */
export type EnvelopeScope = Readonly<Record<string, string | null>>;

/**
 * A message with its metadata.
 *
 * @example
 * ```ts
 * const { messageId, correlationId, payload } = envelope;
 * await store.append(orderId, [{ ...envelope, scope: { tenantId: 'acme' } }]);
 * ```
 */
export interface Envelope<TPayload = unknown> {
  readonly messageId: Uuid;
  readonly messageType: string;
  readonly payload: TPayload;
  readonly streamId?: Uuid | undefined;
  readonly timestamp: Timestamp;
  readonly correlationId?: string | undefined;
  readonly causationId?: string | undefined;
  readonly scope?: EnvelopeScope | undefined;
  readonly traceparent?: string | undefined;
  /** Data that other systems add to the trace; only with a `traceparent` from outside. */
  readonly tracestate?: string | undefined;
  readonly host?: string | undefined;
  readonly store?: Uuid | undefined;
  /** The number of occurrences that a system message represents, if there are several. */
  readonly count?: number | undefined;
  /** The number of reactions and timers between a request and this message, if there are any. */
  readonly depth?: number | undefined;
  /** The version of the payload's contract. */
  readonly v: number;
}

/** The class of the payload, or the wire name where the payload is plain data. */
export function messageTypeOf({ payload, messageType }: Envelope): MessageType {
  if (typeof payload !== 'object' || payload === null) return messageType;
  const prototype: unknown = Object.getPrototypeOf(payload);
  // Read from the prototype: a payload may have a field named constructor.
  const type: unknown = (prototype as { readonly constructor?: unknown } | null)?.constructor;
  if (typeof type !== 'function') return messageType;
  const isMessage = payload instanceof Event || payload instanceof Command || type.name === messageType;
  return isMessage ? (type as unknown as MessageClass) : messageType;
}
