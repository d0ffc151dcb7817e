import { PerspectiveFailed } from '../../contracts/events/error.js';
import { type SystemMessage, systemMessageCategoryOf } from '../../contracts/system-messages.js';
import { sqlFailureOf } from '../../runtime/database/sql-error.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { log } from '../../runtime/logging/log.js';
import { type WriteBatch, emptyBatch, type ParkedKey } from '../../runtime/perspectives/fold/write-batch.js';
import {
  foldKey,
  type Folded,
  type FoldFailure,
  type FoldRules,
  type StoredModel,
} from '../../runtime/perspectives/fold/fold.js';
import { failureSummary, parkedKey } from '../../runtime/perspectives/parked/failure-text.js';
import { groupByKey } from '../../runtime/perspectives/fold/group-by-key.js';
import type { LogEntry, Page } from '../../runtime/log/log-entry.js';
import type { PerspectiveStore } from '../../runtime/perspectives/perspective-store.js';
import type { IdempotentMessage } from '../../runtime/perspectives/rewind/rewind-events.js';
import { aheadOfLogProblem } from './ahead-of-log-problem.js';
import type { RunnerProgress } from './runner-progress.js';

export interface RoundPorts extends FoldRules {
  readonly store: PerspectiveStore;
  /** Reports a failure. */
  report(message: SystemMessage): void;
  /** Resolves after the commit. */
  emit(message: IdempotentMessage): Promise<void>;
  /** Called when a late event makes the whole model doubtful. */
  rebuild?(name: string): void;
}

export interface RoundSettings {
  /** How many events to fold at once. */
  readonly pageSize: number;
  /** How often `apply` may fail for a key before the key is parked. */
  readonly attempts: number;
}

export type RoundEnd =
  | { readonly ended: 'moved'; readonly behind: boolean }
  | { readonly ended: 'overtaken' }
  | { readonly ended: 'late'; readonly page: Page };

export interface FoldResults {
  readonly folded: readonly Folded[];
  readonly parked: readonly ParkedKey[];
  readonly failures: readonly FoldFailure[];
}

const slowMs = 1_000;
const maxCachedModels = 5_000;

/** Folds what the log holds after the cursor, and writes models and cursor in one transaction. */
export class PerspectiveRound {
  constructor(
    protected readonly ports: RoundPorts,
    protected readonly settings: RoundSettings,
    protected readonly progress: RunnerProgress,
  ) {}

  async run(): Promise<RoundEnd> {
    const { progress, settings, ports } = this;
    if (!progress.isLoaded || progress.changes !== ports.store.changes) await this.load();
    const read = () => ports.store.page(progress.position, Math.min(progress.pageLimit, settings.pageSize));
    let page = await read();
    if (page.head < progress.position) {
      await this.load();
      page = await read();
      if (page.head < progress.position)
        throw aheadOfLogProblem(ports.table.name, progress.position, page.head);
    }
    progress.head = Math.max(page.head, progress.position);
    if (page.to === progress.position) return { ended: 'moved', behind: false };
    if (page.entries.some(({ late }) => late)) {
      if (ports.table.byStream) return { ended: 'late', page };
      this.#requestRebuild();
    }
    return this.write(page, await this.foldAll(page.entries));
  }

  protected async load(): Promise<void> {
    const { progress, ports } = this;
    const { changes } = ports.store;
    const [position, parked] = await Promise.all([ports.store.position(), ports.store.parked()]);
    progress.changes = changes;
    progress.position = position;
    progress.parked.clear();
    progress.models.clear();
    progress.waiting.clear();
    for (const { key, isWaiting } of parked) {
      progress.parked.add(key);
      if (isWaiting) progress.waiting.add(key);
    }
    progress.isLoaded = true;
  }

  /** Skips events of parked keys: they are folded when the key is released. */
  protected async foldAll(entries: readonly LogEntry[]): Promise<FoldResults> {
    const { byKey, keyless } = groupByKey(this.ports, entries);
    const keys = [...byKey.keys()].filter((key) => !this.progress.parked.has(key));
    await this.#loadModels(keys);
    const folded: Folded[] = [];
    for (const key of keys)
      folded.push(this.fold(key, this.progress.models.get(key) ?? undefined, byKey.get(key) ?? []));
    return this.resultsOf(folded, keyless);
  }

  /** Does not read rows that this runner wrote: another writer would have moved the cursor. */
  async #loadModels(keys: readonly string[]): Promise<void> {
    const { models } = this.progress;
    if (models.size > maxCachedModels) models.clear();
    const unknown = keys.filter((key) => !models.has(key));
    if (unknown.length === 0) return;
    const found = await this.ports.store.models(unknown);
    for (const key of unknown) models.set(key, found.get(key) ?? null);
  }

  protected resultsOf(
    folded: readonly Folded[],
    keyless: ReadonlyMap<string, FoldFailure> = new Map(),
  ): FoldResults {
    const failed = folded.flatMap(({ key, failure }) =>
      failure === undefined ? [] : [[key, failure] as const],
    );
    const all = [...failed, ...keyless];
    const parked = all.map(([key, failure]) => parkedKey(this.ports, key, failure, this.settings.attempts));
    return { folded, parked, failures: all.map(([, failure]) => failure) };
  }

  /** Retries a failing key at once: `apply` is pure, so waiting does not help, and the other keys must not wait. */
  protected fold(key: string, base: StoredModel | undefined, entries: readonly LogEntry[]): Folded {
    for (let attempt = 1; ; attempt++) {
      const started = performance.now();
      const folded = foldKey(this.ports, key, base, entries);
      const took = performance.now() - started;
      if (took > slowMs) this.#reportSlow(key, took, entries);
      if (folded.failure === undefined || attempt >= this.settings.attempts) return folded;
    }
  }

  protected async write(
    { entries, to }: Pick<Page, 'entries' | 'to'>,
    { folded, parked, failures }: FoldResults,
    more: Partial<WriteBatch> = {},
  ): Promise<RoundEnd> {
    const { progress, ports, settings } = this;
    failpoint('perspective-before-write');
    try {
      const last = entries.at(-1)?.event;
      const seen = last && { position: last.globalPosition, eventId: last.messageId };
      if (!(await ports.store.write(progress.position, to, { ...emptyBatch, ...more, folded, parked, seen })))
        return this.overtaken();
    } catch (error) {
      if (!['data', 'taken'].includes(sqlFailureOf(error))) throw error;
      return this.#narrowDown(entries, error);
    }
    failpoint('perspective-after-write');
    progress.position = to;
    progress.pageLimit = Math.min(settings.pageSize, progress.pageLimit * 2);
    for (const { key } of parked) progress.parked.add(key);
    await this.#releaseWaiting(entries);
    await this.#findWaiting(parked);
    for (const { key, row } of folded) progress.models.set(key, row);
    for (const failure of failures) this.#reportFailure(failure);
    return { ended: 'moved', behind: to < progress.head };
  }

  async #findWaiting(parked: readonly ParkedKey[]): Promise<void> {
    const { progress, ports } = this;
    if (parked.length === 0) return;
    for (const { key, isWaiting } of await ports.store.parked(parked.map((one) => one.key))) {
      if (!isWaiting) continue;
      progress.waiting.add(key);
      log.warn({ perspective: ports.table.name, key }, 'a row waits for earlier events of another store');
    }
  }

  /** These entries may hold the events that rows wait for. */
  async #releaseWaiting(entries: readonly LogEntry[]): Promise<void> {
    const { waiting } = this.progress;
    if (waiting.size === 0) return;
    for (const key of groupByKey(this.ports, entries).byKey.keys())
      if (waiting.delete(key)) await this.ports.store.release(key);
  }

  /** Another host moved the cursor: everything we know is stale. */
  protected overtaken(): RoundEnd {
    this.progress.isLoaded = false;
    return { ended: 'overtaken' };
  }

  /** The store refused the batch: writing event by event shows which key is at fault. */
  async #narrowDown(entries: readonly LogEntry[], error: unknown): Promise<RoundEnd> {
    const [entry, ...others] = entries;
    if (entry === undefined) throw error;
    if (others.length > 0) {
      this.progress.pageLimit = 1;
      return { ended: 'moved', behind: true };
    }
    const { byKey, keyless } = groupByKey(this.ports, entries);
    const failed = [...byKey.keys(), ...keyless.keys()].map((key) => [key, { entry, error }] as const);
    const to = entry.event.globalPosition;
    const parked = failed.map(([key, failure]) =>
      parkedKey(this.ports, key, failure, this.settings.attempts),
    );
    const failures = failed.map(([, failure]) => failure);
    const end = await this.write({ entries: [], to }, { folded: [], parked, failures });
    // Which of several rows the store refuses is found by folding each again.
    if (end.ended === 'moved' && failed.length > 1)
      for (const [key] of failed) await this.ports.store.release(key);
    return end;
  }

  #requestRebuild(): void {
    const { perspective } = this.ports;
    if (perspective.late !== 'rebuild') return;
    log.warn({ perspective: perspective.name }, 'a late event requires a rebuild of the perspective');
    this.ports.rebuild?.(perspective.name);
  }

  #reportFailure({ entry, error }: FoldFailure): void {
    const { event } = entry;
    const { name } = this.ports.perspective;
    const { stack, ...summary } = failureSummary(this.ports, { error });
    const err = { type: summary.name, message: summary.message, stack };
    log.error({ perspective: name, event: event.messageId, err }, 'a perspective failed; its key is parked');
    // A failing perspective over error events must not create more of them.
    if (systemMessageCategoryOf(event.messageType) === 'error') return;
    this.ports.report(
      new PerspectiveFailed({
        perspectiveName: name,
        streamId: event.streamId,
        eventId: event.messageId,
        error: summary,
        attempt: this.settings.attempts,
        timestamp: new Date().toISOString(),
      }),
    );
  }

  #reportSlow(key: string, took: number, entries: readonly LogEntry[]): void {
    const perspective = this.ports.perspective.name;
    log.warn(
      { perspective, key, ms: Math.round(took), events: entries.length },
      'apply is slow and blocks the event loop',
    );
  }
}
