import type { StoredEvent } from './event-store.js';
import { Problem } from './problems.js';
import type { Uuid } from './scalars.js';

/** How a host publishes its messages; every host receives both. */
export const messageFormats = Object.freeze(['msgpack', 'cloudevents'] as const);
export type MessageFormat = (typeof messageFormats)[number];

/** A stored message to be published. */
export interface OutboundMessage {
  readonly destination: string;
  readonly envelope: StoredEvent;
  /** The same for every attempt, to recognize duplicates. */
  readonly id: Uuid;
  /** The epoch of its store that it belongs to, and the last positions before this epoch and earlier ones. */
  readonly epoch?: { readonly epoch: number; readonly forks: string };
}

/** A message as it arrived: arbitrary bytes until they are decoded. */
export interface InboundMessage {
  readonly subject: string;
  readonly body: Uint8Array;
  header(name: string): string | undefined;
  /** 1 for the first delivery. */
  readonly delivery: number;
  /** Earlier deliveries that were never answered: their hosts may have died handling the message. */
  readonly unanswered: number;
}

/** The answer to a delivered message: finished, or to be redelivered later. */
export type Acknowledgement = 'done' | { readonly redeliverInMs: number };

export interface SubscriptionRequest {
  /** A subscription with the same name resumes where the last one stopped. */
  readonly name: string;
  /** Patterns within one JetStream stream: `*` matches one token, a final `>` one or more. */
  readonly subjects: readonly string[];
  /** When the broker created the stream that was last read; a different time now means that its messages are lost. */
  readonly streamCreated?: string | undefined;
  /** Called with that time if it is new or has changed. */
  noteStream?(created: string): Promise<void>;
  /**
   * How long the lease lasts. After it, this host fetches nothing and no longer holds what it has fetched, because the
   * next subscriber would otherwise receive later messages first.
   */
  leaseRemainingMs?(): number;
  /** Called in order of arrival, one batch at a time; the batch is acknowledged when the promise settles. */
  handle(batch: readonly InboundMessage[]): Promise<readonly Acknowledgement[]>;
}

/** A self-healing subscription: it resumes after every failure until it is stopped. */
export interface Subscription {
  readonly name: string;
  /** False while nothing can arrive. */
  readonly isUp: boolean;
  /** Messages known to be lost in transit: how many, and a one-line description while the loss is recent. */
  readonly losses?: { readonly count: number; readonly text: string | undefined };
  stop(): Promise<void>;
}

/** Who sent a message. */
export interface LastSender {
  readonly service: string | undefined;
  readonly store: Uuid;
  readonly ageMs: number;
}

/** Publishes the messages of this host; every call settles, whatever the broker does. */
export interface Publisher {
  /**
   * Resolves when the broker has the message. `TransportUnreachable` means that the broker could not be reached;
   * any other rejection is about this message.
   */
  publish(message: OutboundMessage): Promise<void>;
  /** A real round trip to the broker; rejects when it fails. */
  ping(): Promise<void>;
  /** The sender of the last message to a destination that the broker holds. */
  lastSender?(destination: string): Promise<LastSender | undefined>;
  /** False while a message would reach no one: the relay then skips the log without reading it. */
  readonly hasSubscribers?: boolean;
  /** Messages reach the broker in the order of the calls, so callers need not wait for each answer. */
  readonly keepsOrder?: boolean;
}

/** Carries messages to and from this host. */
export interface Transport extends Publisher {
  /** The faults of a broker that answers, one line each. */
  readonly faults?: readonly string[];
  subscribe(request: SubscriptionRequest): Subscription;
  close(): Promise<void>;
}

/** The message was not sent: it waits until the broker is back. */
export class TransportUnreachable extends Problem {
  constructor(cause?: unknown) {
    super('transport-unreachable', cause === undefined ? {} : { cause });
  }
}

/** The same for one destination: messages to others can be sent. */
export class DestinationUnreachable extends TransportUnreachable {}
