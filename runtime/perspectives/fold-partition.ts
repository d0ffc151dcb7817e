import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Session } from '../database/database.js';
import { CopiedEvents, copyText, type Partition } from './copied-event.js';
import type { Folded, FoldFailure, FoldRules } from './fold.js';
import type { LogCounts } from './count-unfolded.js';
import type { LogEntry } from './log-entry.js';
import { postgresModels } from './postgres-models.js';
import { RebuildFolds } from './rebuild-folds.js';

export interface FoldedPage {
  readonly count: number;
  /** How many rows were met for the first time, all in all. */
  readonly newRows: number;
  readonly isFull: boolean;
  /** How many events, and of how many rows, are left for the end or cannot be folded, all in all. */
  readonly left: LogCounts;
}

/** What is to be written. */
export interface ChangedRows {
  readonly folded: readonly Folded[];
  /** Events whose row nobody knows. */
  readonly keyless: readonly FoldFailure[];
  /** Rows that are left for the end. */
  readonly deferredKeys: readonly string[];
}

/** Folds a share of the streams, in memory, for a rebuild. */
export interface FoldPartition {
  fold(after: Long, to: Long): Promise<FoldedPage>;
  /** Everything that changed since it was asked for last. */
  changed(): Promise<ChangedRows>;
  /** What was written need not be kept: it is loaded when it is needed. */
  forget(): Promise<void>;
  end(): Promise<void>;
}

interface PartitionOptions extends FoldRules {
  readonly reader: Session;
  readonly upcasters?: Upcasters | undefined;
  readonly deferredKeys: readonly string[];
  /** Some rows are in the table only. */
  readonly hasStoredRows: boolean;
  readonly rows?: number | undefined;
  /** All streams unless told otherwise. */
  readonly partition?: Partition | undefined;
}

const entriesAtOnce = 10_000;

/** In this thread. */
export class LocalPartition implements FoldPartition {
  readonly #folds: RebuildFolds;
  #copied: CopiedEvents | undefined;
  #hasStoredRows: boolean;

  constructor(private readonly options: PartitionOptions) {
    this.#folds = new RebuildFolds(options, options.deferredKeys, options.rows);
    this.#hasStoredRows = options.hasStoredRows;
  }

  /** As long as all rows are in memory each event is folded as it comes in. */
  async fold(after: Long, to: Long): Promise<FoldedPage> {
    const { reader, perspective, partition } = this.options;
    const copied = (this.#copied ??= await this.#open());
    const waiting: LogEntry[] = [];
    let count = 0;
    await reader.copyBytes(copyText(perspective.events, { after, to, partition }), (message, at) => {
      const entry = copied.entryOf(message, at);
      count++;
      if (this.#hasStoredRows) waiting.push(entry);
      else this.#folds.take(entry);
    });
    return { ...(await this.take(waiting)), count };
  }

  async take(entries: readonly LogEntry[]): Promise<FoldedPage> {
    const { reader, table } = this.options;
    for (let at = 0; at < entries.length; at += entriesAtOnce) {
      const some = entries.slice(at, at + entriesAtOnce);
      const keys = some.map((entry) => this.#folds.keyOf(entry));
      const missing = this.#hasStoredRows ? this.#folds.missing(keys) : [];
      this.#folds.load(await postgresModels(reader, table, missing));
      for (const [index, entry] of some.entries()) this.#folds.take(entry, keys[index]);
    }
    const { newRows: made, isFull, left: events, deferredKeys } = this.#folds;
    return { count: entries.length, newRows: made, isFull, left: { events, streams: deferredKeys.size } };
  }

  changed(): Promise<ChangedRows> {
    const folded = [...this.#folds.changed()];
    const keyless = this.#folds.keyless.splice(0);
    return Promise.resolve({ folded, keyless, deferredKeys: [...this.#folds.deferredKeys] });
  }

  forget(): Promise<void> {
    this.#folds.forget();
    this.#hasStoredRows = true;
    return Promise.resolve();
  }

  end(): Promise<void> {
    return Promise.resolve();
  }

  async #open(): Promise<CopiedEvents> {
    const rows = await this.options.reader.rows({ text: 'SELECT origin, store FROM svc_origins' });
    const stores = new Map(rows.map(([origin, store]) => [Number(origin), (store ?? '') as Uuid]));
    return new CopiedEvents(stores, this.options.upcasters);
  }
}
