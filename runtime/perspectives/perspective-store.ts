import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { WriteBatch, ParkedKey, Replay } from './fold/write-batch.js';
import type { StoredModel } from './fold/fold.js';
import type { LogEntry, Page } from '../log/log-entry.js';
import type { OrderKey } from '../log/order-key.js';

/** A snapshot that a fold can start from. */
export interface StoredSnapshot extends StoredModel {
  readonly at: OrderKey;
  readonly eventId: Uuid;
}

export interface ParkedRow extends ParkedKey {
  /** It was released to be folded again. */
  readonly released: boolean;
  /** Events of its stream were received without earlier ones: it is folded when they arrive. */
  readonly isWaiting: boolean;
}

/** The rewind of a stream, shared by its perspectives. */
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

/** A replay that is written and not reported yet. */
export interface UnreportedReplay extends Replay {
  readonly streamId: Uuid;
  readonly completedAt: Timestamp;
}

/** A rewind that all perspectives have finished and reported. */
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
  /** What was read before this number changed may come from another server. */
  readonly changes?: number;
  position(): Promise<Long>;
  page(after: Long, limit: number): Promise<Page>;
  models(keys: readonly string[]): Promise<ReadonlyMap<string, StoredModel>>;
  /** All parked rows, or those with these keys. */
  parked(keys?: readonly string[]): Promise<readonly ParkedRow[]>;
  /** Releases a parked row, so that its runner folds it again in the next round. */
  release(key: string): Promise<void>;
  /** The newest snapshot of a key, or the newest below an order key. */
  snapshot(key: string, below?: OrderKey): Promise<StoredSnapshot | undefined>;
  /** The events of a stream for the perspective up to a global position, in order of occurrence. */
  history(streamId: Uuid, after: OrderKey | undefined, to: Long): Promise<readonly LogEntry[]>;
  /** Returns false when the cursor is no longer at `from`: then nothing is written. */
  write(from: Long, to: Long, batch: WriteBatch): Promise<boolean>;
  readonly rewinds: PerspectiveRewinds;
}

/** The rewinds that the perspectives of a stream share when a late event arrives. */
export interface PerspectiveRewinds {
  /** Begins the rewinds that wait for this perspective and start at or before `to`. */
  begin(to: Long): Promise<readonly StreamRewind[]>;
  markAnnounced(rewind: Long): Promise<void>;
  unreported(): Promise<readonly UnreportedReplay[]>;
  markReported(replay: UnreportedReplay): Promise<void>;
  completed(): Promise<readonly CompletedRewind[]>;
  close(rewind: Long): Promise<void>;
}
