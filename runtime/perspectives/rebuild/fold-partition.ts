import type { Long, Uuid } from '../../../contracts/scalars.js';
import type { Upcasters } from '../../../contracts/upcaster.js';
import type { Session } from '../../database/database.js';
import { CopiedEvents, copyText, type Partition } from '../../log/copy-events-from-log.js';
import type { Folded, FoldFailure, FoldRules } from '../fold/fold.js';
import type { LogCounts } from './count-events-of-parked-rows.js';
import type { LogEntry } from '../../log/log-entry.js';
import { openEntries } from '../../log/open-entries.js';
import { readStoredModels } from '../reads/read-stored-models.js';
import { RebuildRowBuffer } from './rebuild-row-buffer.js';

export interface FoldedPage {
  readonly count: number;
  /** The total number of new rows. */
  readonly newRows: number;
  readonly isFull: boolean;
  /** The total of events and rows that are deferred or cannot be folded. */
  readonly unfolded: LogCounts;
}

/** The rows to write. */
export interface ChangedRows {
  readonly folded: readonly Folded[];
  /** Events without a known row. */
  readonly keyless: readonly FoldFailure[];
  /** Rows that are deferred to the end. */
  readonly deferredKeys: readonly string[];
}

/** Folds some of the streams in memory for a rebuild. */
export interface FoldPartition {
  fold(after: Long, to: Long): Promise<FoldedPage>;
  /** Everything that changed since the last call. */
  changed(): Promise<ChangedRows>;
  /** Drops written rows from memory: they are loaded when needed. */
  forget(): Promise<void>;
  end(): Promise<void>;
}

interface PartitionOptions extends FoldRules {
  readonly reader: Session;
  readonly upcasters?: Upcasters | undefined;
  readonly deferredKeys: readonly string[];
  /** Some rows are only in the table. */
  readonly hasStoredRows: boolean;
  readonly rows?: number | undefined;
  /** Default: all streams. */
  readonly partition?: Partition | undefined;
  /** Called now and then while a page is folded, with how many of its events are. */
  readonly counted?: ((events: number) => void) | undefined;
}

const entriesAtOnce = 10_000;
/** Events between two counts: few, as each may take long, and enough that counting costs nothing. */
const countEvery = 64;

/** Folds in this thread. */
export class LocalPartition implements FoldPartition {
  readonly #folds: RebuildRowBuffer;
  #copied: CopiedEvents | undefined;
  #hasStoredRows: boolean;

  constructor(private readonly options: PartitionOptions) {
    this.#folds = new RebuildRowBuffer(options, options.deferredKeys, options.rows);
    this.#hasStoredRows = options.hasStoredRows;
  }

  /** While all rows are in memory and nothing is sealed, each event is folded as it arrives. */
  async fold(after: Long, to: Long): Promise<FoldedPage> {
    const { reader, perspective, partition, table, upcasters, counted } = this.options;
    const waits = this.#hasStoredRows || table.types.some((type) => upcasters?.sealing?.has(type) === true);
    const copied = (this.#copied ??= await this.#open());
    const waiting: LogEntry[] = [];
    let count = 0;
    await reader.copyBytes(copyText(perspective, { after, to, partition }), (message, at) => {
      const entry = copied.entryOf(message, at);
      if (waits) waiting.push(entry);
      else this.#folds.take(entry);
      if (++count % countEvery === 0 && !waits) counted?.(count);
    });
    return { ...(await this.take(waiting)), count };
  }

  async take(entries: readonly LogEntry[]): Promise<FoldedPage> {
    const { reader, table, upcasters, counted } = this.options;
    for (let at = 0; at < entries.length; at += entriesAtOnce) {
      const some = await openEntries(entries.slice(at, at + entriesAtOnce), upcasters);
      const keys = some.map((entry) => this.#folds.keysOf(entry));
      const missing = this.#hasStoredRows ? this.#folds.missing(keys) : [];
      this.#folds.load(await readStoredModels(reader, table, missing));
      for (const [index, entry] of some.entries()) {
        this.#folds.take(entry, keys[index]);
        if ((at + index) % countEvery === 0) counted?.(at + index);
      }
    }
    const { newRows, isFull, unfolded: events, deferredKeys } = this.#folds;
    return { count: entries.length, newRows, isFull, unfolded: { events, streams: deferredKeys.size } };
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
    const { reader } = this.options;
    // While an event takes long, nothing is read of the copy, and the server would end the connection after 10 s.
    await reader.rows({ text: 'SET tcp_user_timeout = 0' });
    const rows = await reader.rows({ text: 'SELECT origin, store FROM svc_origins' });
    const stores = new Map(rows.map(([origin, store]) => [Number(origin), (store ?? '') as Uuid]));
    return new CopiedEvents(stores, this.options.upcasters);
  }
}
