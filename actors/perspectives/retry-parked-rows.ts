import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import { sqlFailureOf } from '../../runtime/database/sql-error.js';
import { failureText } from '../../runtime/perspectives/failure-text.js';
import type { Folded, FoldFailure } from '../../runtime/perspectives/fold.js';
import { isKeyless, keyOf } from '../../runtime/perspectives/group-by-key.js';
import type { LogEntry } from '../../runtime/log/log-entry.js';
import type { ParkedRow } from '../../runtime/perspectives/perspective-store.js';
import type { FoldResults, RoundEnd } from './perspective-round.js';
import { StreamRewind } from './stream-rewind.js';

/** How long one repair may hold up the other keys; the rest is retried when there is nothing to fold. */
const repairMs = 200;

/** Before a round folds, refolds parked keys that were released, and reports rewinds that were not reported. */
export class ParkedRowsRetry extends StreamRewind {
  async repair(): Promise<RoundEnd> {
    const { progress, ports } = this;
    if (!progress.isLoaded) await this.load();
    await this.reportRewinds();
    let began: number | undefined;
    for (const row of await ports.store.parked()) {
      // A new host may run better code than the one that parked them.
      const isDue = row.released || (progress.parkedRetried !== 'all' && !progress.retriedKeys.has(row.key));
      if (!isDue) continue;
      if (performance.now() - (began ??= performance.now()) > repairMs) {
        progress.parkedRetried = 'partly';
        return { ended: 'moved', behind: true };
      }
      const end = await this.#release(row);
      if (end.ended === 'overtaken') return end;
      progress.retriedKeys.add(row.key);
    }
    progress.parkedRetried = 'all';
    progress.retriedKeys.clear();
    return { ended: 'moved', behind: true };
  }

  async #release(row: ParkedRow): Promise<RoundEnd> {
    const { progress } = this;
    const here = { entries: [], to: progress.position };
    const key = isKeyless(row.key) ? await this.#keyAt(row) : row.key;
    if (typeof key !== 'string') return this.write(here, this.resultsOf([], new Map([[row.key, key]])));
    const folded = await this.#refold(key);
    if (folded?.failure !== undefined && folded.failure.entry.event.globalPosition < row.globalPosition)
      return this.write(here, this.#parkedAgain(row, folded.failure.error));
    const judged = this.resultsOf(folded === undefined ? [] : [folded]);
    const released = judged.parked.length === 0 ? [row.key, key] : [row.key];
    const end = await this.#writeOrParkAgain(row, () => this.write(here, judged, { released }));
    if (end.ended === 'moved' && judged.parked.length === 0)
      for (const gone of released) progress.parked.delete(gone);
    return end;
  }

  /** What the store refuses stays parked too. */
  async #writeOrParkAgain(row: ParkedRow, write: () => Promise<RoundEnd>): Promise<RoundEnd> {
    try {
      return await write();
    } catch (error) {
      if (sqlFailureOf(error) !== 'data') throw error;
      return this.write({ entries: [], to: this.progress.position }, this.#parkedAgain(row, error));
    }
  }

  /** The fold stopped earlier than before: readers keep the row they have. */
  #parkedAgain({ key, eventId, globalPosition }: ParkedRow, error: unknown): FoldResults {
    const { attempts } = this.settings;
    const row = { key, eventId, globalPosition };
    return {
      folded: [],
      parked: [{ ...row, error: failureText(this.ports, error), attempts }],
      failures: [],
    };
  }

  /** The key of an event whose key could not be read before, or why it still cannot be read. */
  async #keyAt({ globalPosition }: ParkedRow): Promise<string | FoldFailure> {
    const { entries } = await this.ports.store.page(globalPosition - 1, 1);
    const [entry] = entries;
    if (entry === undefined)
      throw new Problem('unexpected', { detail: `Position ${globalPosition} no longer exists.` });
    try {
      return keyOf(this.ports, entry);
    } catch (error) {
      return { entry, error };
    }
  }

  /** Folds from the newest snapshot, or from the beginning. */
  async #refold(key: string): Promise<Folded | undefined> {
    const { store, table } = this.ports;
    const snapshot = await store.snapshot(key);
    const to = this.progress.position;
    const entries = table.byStream
      ? await store.history(key, snapshot?.at, to)
      : await this.#scan(key, snapshot?.position ?? 0, to);
    return entries.length === 0 ? undefined : this.fold(key, snapshot, entries);
  }

  async #scan(key: string, after: Long, to: Long): Promise<LogEntry[]> {
    const found: LogEntry[] = [];
    for (let at = after; at < to;) {
      const page = await this.ports.store.page(at, this.settings.pageSize);
      found.push(
        ...page.entries.filter((entry) => entry.event.globalPosition <= to && this.#hasKey(key, entry)),
      );
      if (page.to <= at) break;
      at = page.to;
    }
    return found;
  }

  #hasKey(key: string, entry: LogEntry): boolean {
    try {
      return keyOf(this.ports, entry) === key;
    } catch {
      return false;
    }
  }
}
