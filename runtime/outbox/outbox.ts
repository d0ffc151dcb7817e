import type { Long } from '../../contracts/scalars.js';
import type { OutboundMessage } from '../../contracts/transport.js';

/** A message of the log that is marked for publishing. */
export interface PendingMessage extends OutboundMessage {
  readonly position: Long;
  /** How often it was rejected so far. */
  readonly attempts: number;
  /** The delay before the next attempt; 0 means now. */
  readonly dueInMs: number;
}

/** A dead letter that is to be published again. */
export interface Replay extends PendingMessage {
  readonly deadLetterId: string;
}

/** The state of the lease for one relay. */
export type OutboxLease =
  | { readonly held: false; readonly remainingMs: number }
  | {
      readonly held: true;
      readonly remainingMs: number;
      readonly position: Long;
      /** The last position of the log. */
      readonly head: Long;
      /** Whether dead letters wait to be published again. */
      readonly hasReplays: boolean;
    };

export interface Rejection {
  readonly error: string;
  readonly fingerprint: string;
  /** Including this one. */
  readonly attempts: number;
}

/** The log from the point of view of one relay; every change returns false when another relay holds the lease. */
export interface Outbox {
  /** Acquires the lease, or renews it. */
  acquireLease(leaseMs: number): Promise<OutboxLease>;
  /** Messages marked for publishing after `from` and up to `to`, in order. */
  page(from: Long, to: Long): Promise<PendingMessage[]>;
  /** The last position of what an import left after `from` and none of which is marked for publishing; `from` if it left nothing. */
  importedTo(from: Long): Promise<Long>;
  /** Advances the cursor, if it is still at `from`. */
  advance(from: Long, to: Long, leaseMs: number): Promise<boolean>;
  recordRejection(message: PendingMessage, rejection: Rejection, retryInMs: number): Promise<boolean>;
  deadLetter(message: PendingMessage, rejection: Rejection): Promise<boolean>;
  pendingReplays(): Promise<Replay[]>;
  markReplayed(replay: Replay): Promise<boolean>;
}
