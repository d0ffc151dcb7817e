import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { Batch, ParkedKey, Replay } from './batch.js';
import type { StoredModel } from './fold.js';
import type { LogEntry, OrderKey, Page } from './log-entry.js';

/** A snapshot that a fold can begin with. */
export interface StoredSnapshot extends StoredModel {
  readonly at: OrderKey;
  readonly eventId: Uuid;
}

export interface ParkedRow extends ParkedKey {
  /** Somebody wants it to be tried again. */
  readonly released: boolean;
  /** Events of its stream came from another store without those before them: it is folded when they come. */
  readonly isWaiting: boolean;
}

/** The rewind of a stream, as the perspectives share it. */
export interface StreamRewind {
  /** The global position of its first late event. */
  readonly rewind: Long;
  readonly streamId: Uuid;
  readonly names: readonly string[];
  readonly startedAt: Timestamp;
  /** Its StreamRewindStarted is stored. */
  readonly announced: boolean;
  readonly triggerEventId: Uuid;
}

/** A replay that is written and not yet told. */
export interface UnreportedReplay extends Replay {
  readonly streamId: Uuid;
  readonly completedAt: Timestamp;
}

/** A rewind that all perspectives have done and told. */
export interface CompletedRewind {
  readonly rewind: Long;
  readonly streamId: Uuid;
  readonly names: readonly string[];
  readonly startedAt: Timestamp;
  readonly completedAt: Timestamp;
  readonly replayed: number;
}

/** The log, the models and the cursor of one perspective. */
export interface PerspectiveStore {
  /** Whatever was read before this number changed may have come from another server. */
  readonly changes?: number;
  position(): Promise<Long>;
  page(after: Long, limit: number): Promise<Page>;
  models(keys: readonly string[]): Promise<ReadonlyMap<string, StoredModel>>;
  /** All, or some by their keys. */
  parked(keys?: readonly string[]): Promise<readonly ParkedRow[]>;
  /** Has a parked row folded again, with the next turn of its runner. */
  release(key: string): Promise<void>;
  /** The newest one of a key, or the newest below an order key. */
  snapshot(key: string, below?: OrderKey): Promise<StoredSnapshot | undefined>;
  /** What a stream holds for the perspective up to a global position, in the order in which it happened. */
  history(streamId: Uuid, after: OrderKey | undefined, to: Long): Promise<readonly LogEntry[]>;
  /** False when the cursor is no longer at `from`: then nothing is written. */
  write(from: Long, to: Long, batch: Batch): Promise<boolean>;
  readonly rewinds: PerspectiveRewinds;
}

/** What the perspectives of a stream do together when a late event comes. */
export interface PerspectiveRewinds {
  /** Begins those that wait for this perspective and start at or before `to`. */
  claim(to: Long): Promise<readonly StreamRewind[]>;
  announced(rewind: Long): Promise<void>;
  unreported(): Promise<readonly UnreportedReplay[]>;
  told(replay: UnreportedReplay): Promise<void>;
  done(): Promise<readonly CompletedRewind[]>;
  close(rewind: Long): Promise<void>;
}
