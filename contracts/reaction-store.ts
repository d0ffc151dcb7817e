import type { ProblemCode } from './problems.js';
import type { Json, Long, Timestamp, Uuid } from './scalars.js';
import type { ProcessStep, TimerKind } from './unit-lists.js';

/** The state of a cursor. Everything up to `position` is settled, and so is what `done` lists above it. */
export interface Progress {
  readonly epoch: number;
  readonly position: Long;
  readonly done: readonly Long[];
}

/** A key that is set aside. */
export interface AsideKey {
  readonly key: string;
  /** Its next event. */
  readonly position: Long;
  readonly state: 'retrying' | 'parked';
  readonly attempts: number;
  /** Counted from now, by the clock of the database; 0: due. */
  readonly retryInMs: number;
  readonly error: string | null;
  /** An operator gave up its next event. */
  readonly isGivenUp: boolean;
}

export interface StoredTimer {
  readonly id: Uuid;
  readonly kind: TimerKind;
  readonly name: string;
  readonly key: string;
  readonly dueAt: Timestamp;
  /** How late it is, by the clock of the database; negative: not due yet. */
  readonly lateMs: number;
  readonly setAt: Timestamp;
  readonly expiresMs: number | null;
  readonly attempts: number;
  readonly parked: boolean;
  readonly error: string | null;
  readonly data: Json;
  readonly context: Json;
}

export interface StoredProcess extends Omit<ProcessStep, 'tenant' | 'error'> {
  readonly error: string | null;
  readonly startedAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** A name that a unit would take. */
export interface TakenName {
  /** A keyed digest. */
  readonly key: Uuid;
  /** Null: the unit only gives it back. */
  readonly owner: string | null;
  /** The owner who gives it back in the same unit. */
  readonly released: string | null;
}

/** Read by the runners of reactions, processes and timers; they write only through units. */
export interface ReactionStore {
  /**
   * Takes a cursor: gives it another epoch, so no other host can commit with it. A new cursor starts at the head or at
   * 0. If this version of the application is newer than the last one, the parked keys are retried: they are released
   * before the cursor is returned, or, if the signal ends that, when the cursor is next taken.
   */
  takeCursor(
    name: string,
    start: 'head' | 'beginning',
    version?: string,
    signal?: AbortSignal,
  ): Promise<Progress>;
  /** In order of position. */
  asideKeys(cursor: string): Promise<readonly AsideKey[]>;
  /** Keys after this one that are not parked, in order of key. */
  retryingKeys(cursor: string, after: string, limit: number): Promise<readonly AsideKey[]>;
  /**
   * Timers of some partitions that are due, earliest first, without parked ones and those of the lines in `except` (a name
   * and a tenant); and when the next one is due.
   */
  dueTimers(
    parts: readonly number[],
    limit: number,
    except?: readonly string[],
  ): Promise<{ readonly due: readonly StoredTimer[]; readonly nextInMs: number | null }>;
  /** Timers of some partitions that were parked with one of these problems, or by another version, earliest first. */
  parkedTimers(
    parts: readonly number[],
    codes: readonly ProblemCode[],
    version: string,
    limit: number,
  ): Promise<readonly StoredTimer[]>;
  process(name: string, key: string): Promise<StoredProcess | undefined>;
  /** Whether another owner has one of these names, now. */
  isReserved(names: readonly TakenName[]): Promise<boolean>;
  /** The timers of a process, or of a name and key. */
  timersOf(kind: TimerKind, name: string, key: string): Promise<readonly StoredTimer[]>;
}

/**
 * The number of partitions of a reaction, a process and the timers. It is fixed, because cursors at different positions
 * cannot be split.
 */
export const partitions = 8;
