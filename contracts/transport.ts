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

/** What carries messages away from this host; every call settles, however the broker behaves. */
export interface Transport {
  /**
   * Resolves when the broker has the message. `TransportUnreachable` says that nobody could be asked;
   * any other rejection is a refusal of this message.
   */
  publish(message: OutboundMessage): Promise<void>;
  /** False while a message would reach nobody: then the log is passed over without being read. */
  readonly isHeard?: boolean;
  close(): Promise<void>;
}

/** No attempt was made: the message waits until the broker is back. */
export class TransportUnreachable extends Problem {
  constructor(cause?: unknown) {
    super('transport-unreachable', cause === undefined ? {} : { cause });
  }
}
