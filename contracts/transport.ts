import type { StoredEvent } from './event-store.js';
import { Problem } from './problems.js';
import type { Uuid } from './scalars.js';

/** A stored message on its way out. */
export interface OutboundMessage {
  readonly destination: string;
  readonly envelope: StoredEvent;
  /** The same each time the message is sent, so that a second delivery can be told from a first. */
  readonly id: Uuid;
}

/** A message as it arrived: bytes that may be anything, until they are decoded. */
export interface InboundMessage {
  readonly subject: string;
  readonly body: Uint8Array;
  header(name: string): string | undefined;
  /** 1 for the first delivery. */
  readonly delivery: number;
  /** How often it was brought before and nobody answered: whoever had it may have ended under it. */
  readonly unanswered: number;
}

/** What becomes of a message that arrived: done with, or to be brought again later. */
export type Acknowledgement = 'done' | { readonly redeliverInMs: number };

export interface SubscriptionRequest {
  /** The same name goes on where it stopped. */
  readonly name: string;
  /** Patterns; `*` stands for one token, a last `>` for one or more. All of one JetStream stream. */
  readonly subjects: readonly string[];
  /** Asked before more is fetched: who was frozen may have been replaced. */
  mayFetch?(): boolean;
  /** Called in the order of arrival, one batch at a time; a batch is acknowledged when it is settled. */
  handle(batch: readonly InboundMessage[]): Promise<readonly Acknowledgement[]>;
}

/** A subscription that looks after itself: it comes back after every failure until it is stopped. */
export interface Subscription {
  readonly name: string;
  /** False while nothing can arrive. */
  readonly isUp: boolean;
  /** What is known to be lost on the way: how much, and as one line while it is news. */
  readonly losses?: { readonly count: number; readonly text: string | undefined };
  stop(): Promise<void>;
}

/** Takes messages away from this host; every call settles, however the broker behaves. */
export interface Publisher {
  /**
   * Resolves when the broker has the message. `TransportUnreachable` says that nobody could be asked;
   * any other rejection is a refusal of this message.
   */
  publish(message: OutboundMessage): Promise<void>;
  /** A real round trip to the broker; rejects when there is none. */
  ping(): Promise<void>;
  /** False while a message would reach nobody: then the log is passed over without being read. */
  readonly hasSubscribers?: boolean;
  /** Messages reach the broker in the order of the calls, so that one need not wait for the answer to the last. */
  readonly keepsOrder?: boolean;
}

/** What carries messages to and from this host. */
export interface Transport extends Publisher {
  subscribe(request: SubscriptionRequest): Subscription;
  close(): Promise<void>;
}

/** No attempt was made: the message waits until the broker is back. */
export class TransportUnreachable extends Problem {
  constructor(cause?: unknown) {
    super('transport-unreachable', cause === undefined ? {} : { cause });
  }
}
