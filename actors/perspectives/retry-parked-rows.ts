import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import { sqlFailureOf } from '../../runtime/database/sql-error.js';
import { failureText } from '../../runtime/perspectives/parked/failure-text.js';
import type { Folded, FoldFailure } from '../../runtime/perspectives/fold/fold.js';
import { groupByKey, isKeyless, keysOf } from '../../runtime/perspectives/fold/group-by-key.js';
import type { LogEntry, Page } from '../../runtime/log/log-entry.js';
import type { OrderKey } from '../../runtime/log/order-key.js';
import type { ParkedRow } from '../../runtime/perspectives/perspective-store.js';
import { orArchived } from '../../runtime/store/must-hold.js';
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
    const released = isKeyless(row.key) ? this.#releaseKeyless(row) : this.#releaseKey(row);
    const end = await orArchived(released);
    // It stays parked until its segments are attached.
    return end instanceof Problem ? this.write(this.#here, this.#parkedAgain(row, end)) : end;
  }

  async #releaseKey(row: ParkedRow): Promise<RoundEnd> {
    const folded = await this.#refold(row.key);
    return this.#releaseFolded(row, folded === undefined ? [] : [folded]);
  }

  /** An event whose keys can be read by now joins each of its rows; one that is parked takes it when it is released. */
  async #releaseKeyless(row: ParkedRow): Promise<RoundEnd> {
    const keys = await this.#keysAt(row);
    if ('error' in keys) return this.write(this.#here, this.resultsOf([], new Map([[row.key, keys]])));
    const folded: Folded[] = [];
    const open = new Set(keys.filter((key) => !this.progress.parked.has(key)));
    for (const [key, entries] of await this.#scan(open, 0, this.progress.position))
      folded.push(this.fold(key, undefined, entries));
    return this.#releaseFolded(row, folded, keys);
  }

  async #releaseFolded(
    row: ParkedRow,
    folded: readonly Folded[],
    withoutSnapshots: readonly string[] = [],
  ): Promise<RoundEnd> {
    const early = folded.find(
      ({ failure }) => failure !== undefined && failure.entry.event.globalPosition < row.globalPosition,
    );
    if (early?.failure !== undefined)
      return this.write(this.#here, this.#parkedAgain(row, early.failure.error));
    const judged = this.resultsOf(folded);
    const released = [row.key, ...folded.flatMap(({ key, failure }) => (failure === undefined ? [key] : []))];
    const forget = withoutSnapshots.map((key) => ({ key, after: beforeAll }));
    const write = () => this.write(this.#here, judged, { released, forget });
    const end = await this.#writeOrParkAgain(row, write);
    if (end.ended !== 'moved') return end;
    const parked = new Set(judged.parked.map(({ key }) => key));
    for (const gone of released) if (!parked.has(gone)) this.progress.parked.delete(gone);
    return end;
  }

  get #here(): Pick<Page, 'entries' | 'to'> {
    return { entries: [], to: this.progress.position };
  }

  /** What the store refuses stays parked too. */
  async #writeOrParkAgain(row: ParkedRow, write: () => Promise<RoundEnd>): Promise<RoundEnd> {
    try {
      return await write();
    } catch (error) {
      if (sqlFailureOf(error) !== 'data') throw error;
      return this.write(this.#here, this.#parkedAgain(row, error));
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

  /** The keys of an event whose keys could not be read before, or why they still cannot be read. */
  async #keysAt({ globalPosition }: ParkedRow): Promise<readonly string[] | FoldFailure> {
    const { entries } = await this.ports.store.page(globalPosition - 1, 1);
    const [entry] = entries;
    if (entry === undefined)
      throw new Problem('unexpected', { detail: `Position ${globalPosition} no longer exists.` });
    try {
      return keysOf(this.ports, entry);
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
      : ((await this.#scan(new Set([key]), snapshot?.position ?? 0, to)).get(key) ?? []);
    return entries.length === 0 ? undefined : this.fold(key, snapshot, entries);
  }

  /** What the log holds for these rows. */
  async #scan(keys: ReadonlySet<string>, after: Long, to: Long): Promise<ReadonlyMap<string, LogEntry[]>> {
    const found = new Map<string, LogEntry[]>();
    for (let at = after; at < to && keys.size > 0;) {
      const page = await this.ports.store.page(at, this.settings.pageSize);
      const entries = page.entries.filter(({ event }) => event.globalPosition <= to);
      for (const [key, own] of groupByKey(this.ports, entries).byKey)
        if (keys.has(key)) {
          const known = found.get(key);
          if (known === undefined) found.set(key, [...own]);
          else for (const entry of own) known.push(entry);
        }
      if (page.to <= at) break;
      at = page.to;
    }
    return found;
  }
}

/** All snapshots of a row come after it. */
const beforeAll: OrderKey = {
  at: Number.MIN_SAFE_INTEGER,
  store: '00000000-0000-0000-0000-000000000000',
  position: 0,
};
