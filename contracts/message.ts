import type { Timestamp, Uuid } from './scalars.js';

declare const brand: unique symbol;

/** Asks for something; declared once, handled by one receptor. */
export abstract class Command {
  declare readonly [brand]?: 'command';

  /** Checked construction with class identity: `CreateOrder.of({ … })`. */
  static of<T extends Command>(this: new () => T, init: Properties<T>): T {
    return Object.assign(new this(), init);
  }
}

/** Reports something that happened. */
export abstract class Event {
  declare readonly [brand]?: 'event' | 'system-event';

  static of<T extends Event>(this: new () => T, init: Properties<T>): T {
    return Object.assign(new this(), init);
  }
}

/** An event about the service itself: stored in the system stream, local to the host unless broadcast. */
export abstract class SystemEvent extends Event {
  declare readonly [brand]?: 'system-event';
}

/** The data members of a message class. */
export type Properties<T> = Omit<T, typeof brand>;

/** A message class; its name is the wire name. */
export type MessageClass<T = unknown> = abstract new (...args: never[]) => T;

/** A message class or its wire name. */
export type MessageType = MessageClass | string;

export const typeNameOf = (type: MessageType): string => (typeof type === 'string' ? type : type.name);

/** Who acts, and for whom; flat on the wire, lists joined by a comma. */
export type EnvelopeScope = Readonly<Record<string, string | null>>;

/** A message and everything known about its journey. */
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
  readonly host?: string | undefined;
  readonly store?: Uuid | undefined;
  readonly v: 1;
}
