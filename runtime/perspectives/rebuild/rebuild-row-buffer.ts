import { Fold, type Folded, type FoldFailure, type FoldRules, type StoredModel } from '../fold/fold.js';
import { keysOf } from '../fold/group-by-key.js';
import type { LogEntry } from '../../log/log-entry.js';

const defaultMaxRows = 100_000;
const maxBytes = 64 * 1024 * 1024;
const sampleSize = 50;

/** The rows of an event, or why they are unknown. */
type EntryKeys = readonly string[] | { readonly error: unknown };

/** The rows of a rebuild in memory. Late and failing rows are deferred to the end, where they are folded in order, event by event. */
export class RebuildRowBuffer {
  readonly #folds = new Map<string, Fold>();
  readonly deferredKeys = new Set<string>();
  /** Events without a known row. */
  readonly keyless: FoldFailure[] = [];
  /** How many rows are new. */
  newRows = 0;
  /** How many events were taken and are missing in a row, for now or for good; an estimate where events have several rows. */
  unfolded = 0;

  constructor(
    private readonly rules: FoldRules,
    deferredKeys: readonly string[],
    private readonly most = defaultMaxRows,
  ) {
    for (const key of deferredKeys) this.deferredKeys.add(key);
  }

  /** Rows that must be loaded before events with these keys can be folded. */
  missing(all: readonly EntryKeys[]): string[] {
    const missing = new Set<string>();
    for (const keys of all)
      if (!('error' in keys))
        for (const key of keys) if (!this.#folds.has(key) && !this.deferredKeys.has(key)) missing.add(key);
    return [...missing];
  }

  load(kept: ReadonlyMap<string, StoredModel>): void {
    for (const [key, model] of kept) this.#folds.set(key, new Fold(this.rules, key, model, false));
  }

  /** Called once for each event: a flaky `key` must not return other rows the second time. */
  keysOf(entry: LogEntry): EntryKeys {
    try {
      return keysOf(this.rules, entry);
    } catch (error) {
      return { error };
    }
  }

  take(entry: LogEntry, keys = this.keysOf(entry)): void {
    if ('error' in keys) return this.#park(entry, keys.error);
    for (const key of keys) {
      if (this.deferredKeys.size === 0 || !this.deferredKeys.has(key)) this.#step(key, entry);
      else this.unfolded++;
    }
  }

  /** Whether the rows should be written and dropped before they need too much memory. */
  get isFull(): boolean {
    if (this.#folds.size > this.most) return true;
    let bytes = 0;
    let count = 0;
    for (const fold of this.#folds.values()) {
      if (count++ >= sampleSize) break;
      fold.close();
      bytes += JSON.stringify(fold.result()).length;
    }
    return count > 0 && (bytes / count) * this.#folds.size > maxBytes;
  }

  get size(): number {
    return this.#folds.size;
  }

  /** Everything that changed since the last call, ready to be written. */
  *changed(): Generator<Folded> {
    for (const [key, fold] of this.#folds) {
      if (!fold.isChanged) continue;
      if (fold.close()) yield fold.take();
      else this.#defer(key);
    }
  }

  forget(): void {
    this.#folds.clear();
  }

  #step(key: string, entry: LogEntry): void {
    let fold = this.#folds.get(key);
    if (fold === undefined) {
      this.newRows++;
      this.#folds.set(key, (fold = new Fold(this.rules, key, undefined, false)));
    }
    if (entry.late && this.rules.table.byStream) {
      this.unfolded++;
      return this.#defer(key);
    }
    if (fold.step(entry) !== undefined) this.#defer(key);
  }

  #defer(key: string): void {
    this.deferredKeys.add(key);
    this.unfolded += this.#folds.get(key)?.taken ?? 0;
    this.#folds.delete(key);
  }

  #park(entry: LogEntry, error: unknown): void {
    this.unfolded++;
    this.keyless.push({ entry, error });
  }
}
