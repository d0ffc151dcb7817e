import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import { failpoint } from '../failpoint.js';
import { inTransaction, patienceDefaults } from '../migrations/patience.js';
import { CarefulFolds, foldCarefully } from './careful-folds.js';
import { copiedPages } from './copied-pages.js';
import type { FoldRules } from './fold.js';
import type { LogEntry } from './log-entry.js';
import { orderedEntries } from './ordered-entries.js';
import { postgresModels } from './postgres-models.js';
import { RebuildFolds } from './rebuild-folds.js';
import type { RebuildRun } from './rebuild-run.js';
import { indexShadow, makeShadow, shadowOf } from './shadow.js';
import { forgetKeys, writeFolded } from './write-folded.js';

const checkpointMs = 30_000;
const keysAtOnce = 1_000;
const takenAtOnce = 10_000;
const retryMs = 50;

interface Checkpoint {
  readonly position?: Long;
  readonly events?: number;
}

/** Fills the shadow of a perspective from empty: rows are folded in memory and written when there are many, or at the end. */
export class RebuildReplay {
  readonly #rules: FoldRules;
  #folds: RebuildFolds;
  #rows: number;
  /** Some rows are no longer in memory. */
  #isCold: boolean;
  #written = performance.now();

  constructor(private readonly run: RebuildRun) {
    const { perspective, table, record } = run.ports;
    this.#rules = { perspective, table: shadowOf(table) };
    this.#folds = new RebuildFolds(this.#rules, record.careful, run.ports.limits?.rows);
    this.#rows = record.rows;
    this.#isCold = record.position > 0;
  }

  async prepare(): Promise<void> {
    const { run } = this;
    const { writer, record, table } = run.ports;
    await writer.rows({ text: 'SET jit = off' });
    if (record.position > 0) return;
    run.startOver();
    const target = await run.head();
    const aim = run.aim(target, await run.measure(target));
    await inTransaction(writer, patienceDefaults, async () => {
      await makeShadow(writer, table);
      await run.change({ ...aim, state: 'replaying', events: 0, rows: 0, careful: [] });
    });
    this.#folds = new RebuildFolds(this.#rules, [], run.ports.limits?.rows);
    this.#rows = 0;
  }

  async replay(): Promise<void> {
    const { perspective } = this.run.ports;
    const { target } = this.run.totals;
    if (perspective.late === 'rebuild' && !this.#rules.table.byStream) await this.#inOrder(target);
    else await this.#inPages(target);
    await this.#write();
    await this.#withCare(target);
    failpoint('rebuild-after-replay');
  }

  /** The model is whole when every event was read once and every row that was written is there. */
  async verify(): Promise<void> {
    const { run } = this;
    const { writer, table } = run.ports;
    await indexShadow(writer, table);
    // What lies before the target never changes.
    const { totalEvents: events } = run.totals;
    const [row] = await writer.rows({ text: `SELECT count(*) FROM ${shadowOf(table).table}` });
    const rows = Number(row?.[0] ?? 0);
    if (events !== run.events || rows !== this.#rows)
      throw new Problem('unexpected', {
        detail: `The rebuilt model does not add up: ${run.events} of ${events} events, ${rows} of ${this.#rows} rows; the old model stays.`,
      });
    failpoint('rebuild-after-verify');
    await run.change({ state: 'swapping' });
  }

  /** As long as all rows are in memory each event is folded as it comes in. */
  async #inPages(target: Long): Promise<void> {
    const { ports } = this.run;
    const waiting: LogEntry[] = [];
    const read = (entry: LogEntry): void => {
      if (this.#isCold) waiting.push(entry);
      else this.#folds.take(entry);
    };
    for await (const { count, to } of copiedPages(ports, ports.record.position, target, read)) {
      await this.#take(waiting.splice(0));
      await this.run.pace(count, this.#folds.made);
      failpoint('rebuild-after-page');
      const checkpoint = { position: to, events: this.run.events };
      if (this.#folds.isFull) await this.#clear(checkpoint);
      else if (performance.now() - this.#written > checkpointMs) await this.#write(checkpoint);
    }
  }

  /** Rows that gather several streams, in the order in which things happened; cut off, it begins anew. */
  async #inOrder(target: Long): Promise<void> {
    const { reader, upcasters } = this.run.ports;
    const { types } = this.#rules.table;
    const source = { types, after: 0, to: target, order: 'happened' as const, upcasters };
    for await (const entries of orderedEntries(reader, source)) {
      await this.#take(entries);
      await this.run.pace(entries.length, this.#folds.made);
      if (this.#folds.isFull) await this.#clear();
    }
  }

  async #take(entries: readonly LogEntry[]): Promise<void> {
    for (let at = 0; at < entries.length; at += takenAtOnce) {
      const some = entries.slice(at, at + takenAtOnce);
      const missing = this.#isCold ? this.#folds.missing(some) : [];
      this.#folds.load(await postgresModels(this.run.ports.writer, this.#rules.table, missing));
      for (const entry of some) this.#folds.take(entry);
    }
  }

  async #clear(checkpoint: Checkpoint = {}): Promise<void> {
    await this.#write(checkpoint);
    this.#folds.forget();
    this.#isCold = true;
  }

  /** With a checkpoint a rebuild that is cut off goes on from here. */
  async #write(checkpoint: Checkpoint = {}): Promise<void> {
    const { writer, failed } = this.run.ports;
    // Asked once: a transaction that is tried again writes the same.
    const folded = [...this.#folds.changed()];
    const parked = this.#folds.keyless.splice(0);
    for (const failure of this.#folds.failures.splice(0)) failed(failure);
    this.#rows = await inTransaction(writer, patienceDefaults, async () => {
      const rows = this.#rows + (await writeFolded(writer, this.#rules.table, folded, parked));
      await this.run.change({ ...checkpoint, rows, careful: [...this.#folds.careful] });
      return rows;
    });
    this.#written = performance.now();
    failpoint('rebuild-after-write');
  }

  /** What was left for the end, and the cursor. */
  async #withCare(target: Long): Promise<void> {
    const keys = [...this.#folds.careful];
    const { table } = this.#rules;
    const atOnce = table.byStream ? keysAtOnce : Math.max(1, keys.length);
    for (let at = 0; at < keys.length; at += atOnce)
      await this.#foldAgain(keys.slice(at, at + atOnce), target);
    const { writer } = this.run.ports;
    await inTransaction(writer, patienceDefaults, async () => {
      await writer.rows({
        text: 'UPDATE svc_cursors SET position = $2 WHERE name = $1',
        values: [table.table, target],
      });
      const { events } = this.run;
      await this.run.change({ position: target, events, rows: this.#rows, careful: [], state: 'verifying' });
    });
  }

  async #foldAgain(keys: readonly string[], target: Long): Promise<void> {
    const { writer, reader, upcasters, signal, failed } = this.run.ports;
    const { table } = this.#rules;
    const make = async (): Promise<CarefulFolds> => {
      const made = new CarefulFolds(this.#rules, keys);
      await made.read(reader, upcasters, target, () => signal.throwIfAborted());
      return made;
    };
    const folds = await foldCarefully(make, (attempt) => delay(retryMs * attempt, undefined, { signal }));
    for (const failure of folds.failures) failed(failure);
    this.#rows = await inTransaction(writer, patienceDefaults, async () => {
      await forgetKeys(writer, table, keys);
      const rows = this.#rows + (await writeFolded(writer, table, folds.folded, folds.parked));
      await this.run.change({ rows });
      return rows;
    });
  }
}
