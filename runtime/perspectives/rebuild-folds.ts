import { errorTextOf } from '../outbox/retry.js';
import type { ParkedKey } from './batch.js';
import { Fold, type Folded, type FoldFailure, type FoldRules, type KeptModel } from './fold.js';
import { keyOf, keylessKeyOf } from './group.js';
import type { LogEntry } from './log-entry.js';

const mostRows = 100_000;
const mostBytes = 64 * 1024 * 1024;
const sampled = 50;

/** The rows of a rebuild in memory. What is late, or fails, is left for the end: then it is folded in order and with care. */
export class RebuildFolds {
  readonly #folds = new Map<string, Fold>();
  readonly careful = new Set<string>();
  readonly keyless: ParkedKey[] = [];
  readonly failures: FoldFailure[] = [];
  /** How many rows were met for the first time. */
  made = 0;

  constructor(
    private readonly rules: FoldRules,
    careful: readonly string[],
    private readonly most = mostRows,
  ) {
    for (const key of careful) this.careful.add(key);
  }

  /** Rows that have to be loaded before these events can be taken. */
  missing(entries: readonly LogEntry[]): string[] {
    const keys = new Set<string>();
    for (const entry of entries) {
      const key = this.#keyOf(entry);
      if (key !== undefined && !this.#folds.has(key) && !this.careful.has(key)) keys.add(key);
    }
    return [...keys];
  }

  load(kept: ReadonlyMap<string, KeptModel>): void {
    for (const [key, model] of kept) this.#folds.set(key, new Fold(this.rules, model, false));
  }

  take(entry: LogEntry): void {
    const key = this.#keyOf(entry);
    if (key === undefined) this.#park(entry);
    else if (this.careful.size === 0 || !this.careful.has(key)) this.#step(key, entry);
  }

  /** Whether they are to be written and forgotten, before they need too much memory. */
  get isFull(): boolean {
    if (this.#folds.size > this.most) return true;
    let bytes = 0;
    let count = 0;
    for (const [key, fold] of this.#folds) {
      if (count++ >= sampled) break;
      fold.close();
      bytes += JSON.stringify(fold.result(key)).length;
    }
    return count > 0 && (bytes / count) * this.#folds.size > mostBytes;
  }

  get size(): number {
    return this.#folds.size;
  }

  /** Everything that changed since it was asked for last, ready to be written. */
  *changed(): Generator<Folded> {
    for (const [key, fold] of this.#folds) {
      if (!fold.isChanged) continue;
      if (fold.close()) yield fold.take(key);
      else this.#leave(key);
    }
  }

  forget(): void {
    this.#folds.clear();
  }

  #step(key: string, entry: LogEntry): void {
    let fold = this.#folds.get(key);
    if (fold === undefined) {
      this.made++;
      this.#folds.set(key, (fold = new Fold(this.rules, undefined, false)));
    }
    if (entry.late && this.rules.table.byStream) return this.#leave(key);
    if (fold.step(entry) !== undefined) this.#leave(key);
  }

  #leave(key: string): void {
    this.careful.add(key);
    this.#folds.delete(key);
  }

  #keyOf(entry: LogEntry): string | undefined {
    if (this.rules.table.byStream) return entry.event.streamId;
    try {
      return keyOf(this.rules, entry);
    } catch {
      return undefined;
    }
  }

  #park(entry: LogEntry): void {
    try {
      keyOf(this.rules, entry);
    } catch (error) {
      this.failures.push({ entry, error });
      this.keyless.push(parkedKey(keylessKeyOf(entry.event.messageId), { entry, error }, 1));
    }
  }
}

export const parkedKey = (key: string, { entry, error }: FoldFailure, attempts: number): ParkedKey => ({
  key,
  eventId: entry.event.messageId,
  globalPosition: entry.event.globalPosition,
  error: errorTextOf(error),
  attempts,
});
