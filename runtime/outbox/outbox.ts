import type { Long } from '../../contracts/scalars.js';
import type { OutboundMessage } from '../../contracts/transport.js';

/** A message of the log that is marked to publish. */
export interface PendingMessage extends OutboundMessage {
  readonly position: Long;
  /** How often it was refused so far. */
  readonly attempts: number;
  /** Not to be tried before; 0 means now. */
  readonly dueInMs: number;
}

/** A dead letter that somebody wants published again. */
export interface Replay extends PendingMessage {
  readonly deadLetterId: string;
}

/** What one relay may do now. */
export type OutboxLease =
  | { readonly held: false; readonly remainingMs: number }
  | {
      readonly held: true;
      readonly position: Long;
      /** The last position of the log. */
      readonly head: Long;
      /** Whether dead letters wait to be published again. */
      readonly replays: boolean;
    };

export interface Rejection {
  readonly error: string;
  readonly fingerprint: string;
  /** This one included. */
  readonly attempts: number;
}

/** The log as one relay sees it; whatever changes it answers false when the lease has gone to another one. */
export interface Outbox {
  /** Takes the lease, or keeps it. */
  acquireLease(leaseMs: number): Promise<OutboxLease>;
  /** What is marked to publish after `from` and up to `to`, in order. */
  page(from: Long, to: Long): Promise<PendingMessage[]>;
  /** Moves the cursor, if it still is where we left it. */
  advance(from: Long, to: Long, leaseMs: number): Promise<boolean>;
  refused(message: PendingMessage, refusal: Rejection, againInMs: number): Promise<boolean>;
  deadLetter(message: PendingMessage, refusal: Rejection): Promise<boolean>;
  replays(): Promise<Replay[]>;
  replayed(replay: Replay): Promise<boolean>;
  release(): Promise<void>;
}
