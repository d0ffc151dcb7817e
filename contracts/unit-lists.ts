import type { Json, Long, Timestamp, Uuid } from './scalars.js';

/**
 * A cursor of a reaction or process in one partition, as one host holds it. The epoch decides who may write: it changes
 * whenever a host takes the cursor, and a commit with another one is refused.
 */
export interface HeldCursor {
  readonly name: string;
  readonly epoch: number;
  /** Everything up to this position is settled. Called when the flush is built. */
  settledTo(): Long;
}

/**
 * An event that a cursor has handled with this unit. Refused as `overtaken` if it is already handled or its key is
 * aside.
 */
export interface HandledEvent {
  readonly cursor: HeldCursor;
  readonly position: Long;
  readonly key: string;
}

/** Moves a key that fails or is slow out of the line of its cursor, on behind it, or back. */
export interface AsideStep {
  readonly cursor: HeldCursor;
  readonly key: string;
  /**
   * The event at which the key is set aside now; 0: it is not aside. Refused as `overtaken` if the key is at another
   * event.
   */
  readonly from: Long;
  /** The next event of the key; 0: the key goes back in line. Equal to `from`: it failed again. */
  readonly next: Long;
  readonly state: 'retrying' | 'parked';
  readonly attempts: number;
  /** Counted from the commit. */
  readonly retryInMs: number;
  readonly error: string | null;
}

export type TimerKind = 'command' | 'process' | 'schedule';

/** What may wait for its time. */
export type DueKind = TimerKind | 'effect';

/** A timer or an effect that this unit sets. One of the same id is replaced or kept. */
export interface SetTimer {
  readonly id: Uuid;
  readonly kind: DueKind;
  readonly name: string;
  readonly key: string;
  /** What is of one line is in one partition; by default what has one key. */
  readonly line?: string;
  /** Milliseconds from the commit, or a time. The past means at once. */
  readonly due: { readonly inMs: number } | { readonly at: Timestamp };
  readonly again: 'replace' | 'keep';
  /** Dropped when it is later than this. */
  readonly expiresMs?: number;
  /** The number of failures so far. */
  readonly attempts?: number;
  readonly parked?: boolean;
  readonly error?: string;
  /** The data that it sends; at most 64 KiB of JSON. */
  readonly data: Json;
  /** Scope, correlation and causation of the message that set it. */
  readonly context: Json;
}

/** A timer that this unit ends. */
export interface EndedTimer {
  readonly id: Uuid;
  /** Set by the unit of a timer that fires: refused as `timer-gone` unless the timer is still there with this due time. */
  readonly firedAt?: Timestamp;
}

/** Digests a reserved value with a secret of the store, so the table of reservations reveals no value. */
export type ReservationKey = (tenant: string | undefined, name: string, value: string) => Uuid;

/** A unique name that this unit takes for its owner, or gives back. */
export interface ReservationStep {
  /** A keyed digest of tenant, name and value. */
  readonly key: Uuid;
  readonly name: string;
  readonly owner: string;
  /** Refused as `already-reserved` if another owner has it. */
  readonly take: boolean;
  /** The reservation expires by itself after this. Default: it lasts until it is released. */
  readonly forMs?: number;
}

export type ProcessStatus = 'running' | 'ended' | 'parked';

/** A step of a process: its row is written, if it is at the expected revision. */
export interface ProcessStep {
  readonly name: string;
  readonly key: string;
  /** Of the event that started it; only its first step sets it. */
  readonly tenant?: string | undefined;
  /** The revision at which it was read; 0: it is new. Refused as `stream-conflict` if the row has another. */
  readonly revision: Long;
  readonly version: number;
  readonly state: string;
  readonly status: ProcessStatus;
  readonly snapshot: Json;
  /** The last steps, oldest first. */
  readonly trail: Json;
  readonly error?: string;
}

/** The lists that a unit stores beside its events and records; each may be empty. */
export interface UnitLists {
  readonly handled: readonly HandledEvent[];
  readonly aside: readonly AsideStep[];
  readonly timers: readonly SetTimer[];
  readonly ended: readonly EndedTimer[];
  readonly reservations: readonly ReservationStep[];
  readonly processes: readonly ProcessStep[];
}
