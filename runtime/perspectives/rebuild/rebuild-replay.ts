import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../contracts/problems.js';
import type { Long } from '../../../contracts/scalars.js';
import { failpoint } from '../../lang/failpoint.js';
import { inTransaction, lockRetryDefaults } from '../../database/lock-retry.js';
import { StepwiseFolds, foldStepwise } from './stepwise-folds.js';
import type { Partition } from '../../log/copy-events-from-log.js';
import { parkedKey } from '../parked/failure-text.js';
import type { FoldRules } from '../fold/fold.js';
import { type FoldPartition, LocalPartition } from './fold-partition.js';
import { threadCount, ThreadPartition } from './fold-thread.js';
import { keylessKeyOf } from '../fold/group-by-key.js';
import { orderedEntries } from '../../log/ordered-entries.js';
import type { RunningRebuild } from './running-rebuild.js';
import { indexShadow, makeShadow, shadowOf } from '../tables/shadow-table.js';
import { forgetKeys, writeFolded } from '../fold/write-folded.js';

const checkpointMs = 30_000;
const keysAtOnce = 1_000;
const pageSize = 50_000;
const retryMs = 50;
export const oldModelStays = 'readers keep the old model';

interface Checkpoint {
  readonly position?: Long;
  readonly events?: number;
}

/** Fills the shadow of a perspective from empty: rows are folded in memory and written when there are many, or at the end. */
export class RebuildReplay {
  readonly #rules: FoldRules;
  readonly #deferredKeys: Set<string>;
  #rows: number;
  #partitions: readonly FoldPartition[] = [];
  #written = performance.now();

  constructor(private readonly run: RunningRebuild) {
    const { perspective, table, record, isSensitive } = run.ports;
    this.#rules = { perspective, table: shadowOf(table), isSensitive };
    this.#deferredKeys = new Set(record.deferredKeys);
    this.#rows = record.rows;
  }

  async prepare(): Promise<void> {
    const { run } = this;
    const { writer, record, table } = run.ports;
    await writer.rows({ text: 'SET jit = off' });
    if (record.position > 0) return;
    run.startOver();
    const target = await run.head();
    const aim = run.setTotals(target, await run.countEvents(target));
    await inTransaction(writer, lockRetryDefaults, async () => {
      await makeShadow(writer, table);
      await run.update({ ...aim, state: 'replaying', events: 0, rows: 0, deferredKeys: [] });
    });
    this.#deferredKeys.clear();
    this.#rows = 0;
  }

  async replay(): Promise<void> {
    const { perspective } = this.run.ports;
    const { target } = this.run.totals;
    try {
      if (perspective.late === 'rebuild' && !this.#rules.table.byStream) await this.#inOrder(target);
      else await this.#inPages(target);
      await this.#write();
    } finally {
      await Promise.all(this.#partitions.map((part) => part.end()));
    }
    await this.#foldDeferred(target);
    await this.run.countUnfolded(this.#rules.table, target);
    failpoint('rebuild-after-replay');
  }

  /** The model is complete when every event was read once and every written row exists. */
  async verify(): Promise<void> {
    const { run } = this;
    const { writer, table } = run.ports;
    await indexShadow(writer, table);
    // The log before the target never changes.
    const { totalEvents: events } = run.totals;
    const [row] = await writer.rows({ text: `SELECT count(*) FROM ${shadowOf(table).table}` });
    const rows = Number(row?.[0] ?? 0);
    if (events !== run.events || rows !== this.#rows)
      throw new Problem('rebuild-failed', {
        detail: `The rebuilt model does not add up: ${run.events} of ${events} events, ${rows} of ${this.#rows} rows; the old model stays.`,
      });
    await run.mustKeepRows(shadowOf(table), oldModelStays);
    failpoint('rebuild-after-verify');
    await run.update({ state: 'swapping' });
  }

  /** Page by page; the streams of a page are partitioned by hash. */
  async #inPages(target: Long): Promise<void> {
    const { record, limits } = this.run.ports;
    this.#partitions = this.#createPartitions();
    const size = Math.max(1, Math.min(limits?.page ?? pageSize, record.maxRate ?? pageSize));
    for (let after = record.position; after < target;) {
      const to = Math.min(target, after + size);
      const pages = await Promise.all(this.#partitions.map((part) => part.fold(after, to)));
      this.run.setUnfolded({
        events: sum(pages.map(({ unfolded: left }) => left.events)),
        streams: sum(pages.map(({ unfolded: left }) => left.streams)),
      });
      await this.run.throttle(sum(pages.map(({ count }) => count)), sum(pages.map(({ newRows }) => newRows)));
      failpoint('rebuild-after-page');
      const checkpoint = { position: to, events: this.run.events };
      if (pages.some(({ isFull }) => isFull)) await this.#clear(checkpoint);
      else if (performance.now() - this.#written > checkpointMs) await this.#write(checkpoint);
      after = to;
    }
  }

  /** Rows of several streams, in order of occurrence; after an interruption it starts over. */
  async #inOrder(target: Long): Promise<void> {
    const { reader, upcasters } = this.run.ports;
    const { types, origin } = this.#rules.table;
    const source = { types, origin, after: 0, to: target, order: 'happened' as const, upcasters };
    const part = this.#localPartition();
    this.#partitions = [part];
    for await (const entries of orderedEntries(reader, source)) {
      const { count, newRows, isFull, unfolded } = await part.take(entries);
      this.run.setUnfolded(unfolded);
      await this.run.throttle(count, newRows);
      if (isFull) await this.#clear();
    }
  }

  /** Rows of several streams need all of them in one partition. */
  #createPartitions(): readonly FoldPartition[] {
    const { table, record, limits } = this.run.ports;
    if (!table.byStream || record.maxRate !== undefined) return [this.#localPartition()];
    return (
      this.#threadPartitions() ??
      partitionsOf(limits?.parts ?? 1).map((partition) => this.#localPartition(partition))
    );
  }

  /** Upcasters cannot be moved to another thread. */
  #threadPartitions(): readonly FoldPartition[] | undefined {
    const { table, threads, ownerUrl: url, upcasters } = this.run.ports;
    if (threads === undefined || url === undefined || upcasters?.mayApply(table.types) === true) return;
    const count = threadCount(this.run.totals.totalEvents, threads.count);
    if (count < 2) return;
    const { name, hash } = table;
    return partitionsOf(count).map(
      (partition) =>
        new ThreadPartition(
          threads,
          { ...this.#partitionOptions(partition), url, name, hash },
          this.#counterOf(partition),
        ),
    );
  }

  #localPartition(partition?: Partition): LocalPartition {
    const { reader, upcasters } = this.run.ports;
    const counted = this.#counterOf(partition);
    const options = this.#partitionOptions(partition);
    return new LocalPartition({ ...this.#rules, ...options, reader, upcasters, counted });
  }

  /** A page takes a while: its progress is shown before it is folded. */
  #counterOf(partition: Partition | undefined): (events: number) => void {
    return (events) => this.run.reading(partition?.index ?? 0, events);
  }

  #partitionOptions(partition: Partition | undefined) {
    const { record, limits } = this.run.ports;
    return {
      partition,
      deferredKeys: [...this.#deferredKeys],
      hasStoredRows: record.position > 0,
      rows: limits?.rows,
    };
  }

  async #clear(checkpoint: Checkpoint = {}): Promise<void> {
    await this.#write(checkpoint);
    await Promise.all(this.#partitions.map((part) => part.forget()));
  }

  /** With a checkpoint, an interrupted rebuild resumes here. */
  async #write(checkpoint: Checkpoint = {}): Promise<void> {
    const { writer, failed } = this.run.ports;
    // Called once: a retried transaction writes the same.
    const all = await Promise.all(this.#partitions.map((part) => part.changed()));
    const folded = all.flatMap((changed) => changed.folded);
    const keyless = all.flatMap((changed) => changed.keyless);
    const parked = keyless.map((failure) =>
      parkedKey(this.#rules, keylessKeyOf(failure.entry.event.messageId), failure, 1),
    );
    for (const { deferredKeys } of all) for (const key of deferredKeys) this.#deferredKeys.add(key);
    for (const failure of keyless) failed(failure);
    this.#rows = await inTransaction(writer, lockRetryDefaults, async () => {
      const rows = this.#rows + (await writeFolded(writer, this.#rules.table, folded, parked));
      await this.run.update({ ...checkpoint, rows, deferredKeys: [...this.#deferredKeys] });
      return rows;
    });
    this.#written = performance.now();
    failpoint('rebuild-after-write');
  }

  /** Folds the deferred rows, and moves the cursor. */
  async #foldDeferred(target: Long): Promise<void> {
    const keys = [...this.#deferredKeys];
    const { table } = this.#rules;
    const atOnce = table.byStream ? keysAtOnce : Math.max(1, keys.length);
    for (let at = 0; at < keys.length; at += atOnce)
      await this.#foldAgain(keys.slice(at, at + atOnce), target);
    const { writer } = this.run.ports;
    await inTransaction(writer, lockRetryDefaults, async () => {
      await writer.rows({
        text: 'UPDATE svc_progress SET position = $2 WHERE name = $1',
        values: [table.table, target],
      });
      const { events } = this.run;
      await this.run.update({
        position: target,
        events,
        rows: this.#rows,
        deferredKeys: [],
        state: 'verifying',
      });
    });
  }

  async #foldAgain(keys: readonly string[], target: Long): Promise<void> {
    const { writer, reader, upcasters, signal, failed } = this.run.ports;
    const { table } = this.#rules;
    const make = async (): Promise<StepwiseFolds> => {
      const folds = new StepwiseFolds(this.#rules, keys);
      await folds.read(reader, upcasters, target, () => signal.throwIfAborted());
      return folds;
    };
    const folds = await foldStepwise(make, (attempt) => delay(retryMs * attempt, undefined, { signal }));
    for (const failure of folds.failures) failed(failure);
    this.#rows = await inTransaction(writer, lockRetryDefaults, async () => {
      await forgetKeys(writer, table, keys);
      const rows = this.#rows + (await writeFolded(writer, table, folds.folded, folds.parked));
      await this.run.update({ rows });
      return rows;
    });
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const partitionsOf = (of: number): readonly (Partition | undefined)[] =>
  of === 1 ? [undefined] : Array.from({ length: of }, (_, index) => ({ index, of }));
