import type { Json, Long, Timestamp, Uuid } from './scalars.js';

/**
 * A cursor of a reaction or process in one partition, as one host holds it. The epoch decides who may write: it changes
 * whenever a host takes the cursor, and a commit with another one is refused.
 */
export interface HeldCursor {
  readonly name: string;
  readonly epoch: number;
  /** Everything up to this position is settled. Asked for when the flush is built. */
  settledTo(): Long;
}

/** An event that a cursor has handled with this unit. Refused as `overtaken` when it is handled already or its key is aside. */
export interface HandledEvent {
  readonly cursor: HeldCursor;
  readonly position: Long;
  readonly key: string;
}

/** Moves a key that fails or is slow out of the line of its cursor, on behind it, or back. */
export interface AsideStep {
  readonly cursor: HeldCursor;
  readonly key: string;
  /** The event at which the key is set aside now; 0: it is not. Refused as `overtaken` when it is at another one. */
  readonly from: Long;
  /** The next event of the key; 0: the key goes back in line. Equal to `from`: it failed again. */
  readonly next: Long;
  readonly state: 'retrying' | 'parked';
  readonly attempts: number;
  /** From the commit. */
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
  /** How often it has failed. */
  readonly attempts?: number;
  readonly parked?: boolean;
  readonly error?: string;
  /** What is sent; at most 64 KiB of JSON. */
  readonly data: Json;
  /** Scope, correlation and causation of what set it. */
  readonly context: Json;
}

/** A timer that this unit ends. */
export interface EndedTimer {
  readonly id: Uuid;
  /** Set by the unit of a timer that fires: refused as `timer-gone` unless the timer is still there with this due time. */
  readonly firedAt?: Timestamp;
}

/** Digests a reserved value with a secret of the store: no value can be read from the table of reservations. */
export type ReservationKey = (tenant: string | undefined, name: string, value: string) => Uuid;

/** A unique name that this unit takes for its owner, or gives back. */
export interface ReservationStep {
  /** A keyed digest of tenant, name and value. */
  readonly key: Uuid;
  readonly name: string;
  readonly owner: string;
  /** Refused as `already-reserved` when another owner has it. */
  readonly take: boolean;
  /** A hold that ends by itself; unset: until it is released. */
  readonly forMs?: number;
}

export type ProcessStatus = 'running' | 'ended' | 'parked';

/** A step of a process: its row is written, if it is at the expected revision. */
export interface ProcessStep {
  readonly name: string;
  readonly key: string;
  /** The revision that it was read at; 0: it is new. Refused as `stream-conflict` when it is another. */
  readonly revision: Long;
  readonly version: number;
  readonly state: string;
  readonly status: ProcessStatus;
  readonly snapshot: Json;
  /** The last steps, oldest first. */
  readonly trail: Json;
  readonly error?: string;
}

/** What a unit stores beside its events and records; each list may be empty. */
export interface UnitLists {
  readonly handled: readonly HandledEvent[];
  readonly aside: readonly AsideStep[];
  readonly timers: readonly SetTimer[];
  readonly ended: readonly EndedTimer[];
  readonly reservations: readonly ReservationStep[];
  readonly processes: readonly ProcessStep[];
}
