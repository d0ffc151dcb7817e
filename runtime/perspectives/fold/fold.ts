import type { AnyPerspective } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import type { Long } from '../../../contracts/scalars.js';
import { isThenable } from '../../lang/thenable.js';
import { isStorable } from '../../lang/storable-text.js';
import { columnValue, kindOf, mustFitEntry } from '../tables/column-value.js';
import type { LogEntry } from '../../log/log-entry.js';
import type { PerspectiveTable } from '../tables/perspective-table.js';
import { snapshotsKept } from '../tables/table-sql.js';

/** A stored row: the model is text, so that an `apply` that mutates its argument does no harm. */
export interface StoredModel {
  readonly model: string;
  /** The tenant of the event that created the row: it owns the row. */
  readonly tenant: string | null;
  /** The global position of the last event folded into it. */
  readonly position: Long;
  /** How many events are folded into it. */
  readonly applied: number;
}

/** A model right after an event. */
export interface Snapshot extends StoredModel {
  readonly entry: LogEntry;
}

export interface FoldFailure {
  readonly entry: LogEntry;
  readonly error: unknown;
}

export interface Folded {
  readonly key: string;
  /** Null when the row does not exist, or no longer exists. */
  readonly row: StoredModel | null;
  readonly columns: Readonly<Record<string, unknown>>;
  readonly snapshots: readonly Snapshot[];
  /** What stopped the fold; the row is as it was before that event. */
  readonly failure?: FoldFailure;
}

export interface FoldRules {
  readonly perspective: AnyPerspective;
  readonly table: PerspectiveTable;
  /** Whether an event type has fields that must be hidden; by default none has. */
  readonly isSensitive?: ((type: string) => boolean) | undefined;
}

/** Folds at least one event into a row. */
export function foldKey(
  rules: FoldRules,
  key: string,
  base: StoredModel | undefined,
  entries: readonly LogEntry[],
): Folded {
  const fold = new Fold(rules, key, base, false);
  if (fold.run(entries) === undefined && fold.close()) return fold.result();
  // Fold again, keeping the row after every event: it stays as it was before the first failure.
  const stepwise = new Fold(rules, key, base, true);
  const failure = stepwise.run(entries);
  return failure === undefined ? stepwise.result() : { ...stepwise.result(), failure };
}

/** Folds one row, event by event; the result is taken at the end. */
export class Fold {
  #model: unknown;
  #exists: boolean;
  #isOpen = false;
  #tenant: string | null;
  #position: Long;
  #applied: number;
  #stored: StoredModel | null;
  #columns: Record<string, unknown> = {};
  readonly #snapshots: Snapshot[] = [];
  /** How many of the snapshots hold storable models. */
  #storableSnapshots = 0;
  #isChanged = false;
  #eventCount = 0;

  constructor(
    private readonly rules: FoldRules,
    private readonly key: string,
    base: StoredModel | undefined,
    private readonly stepwise: boolean,
  ) {
    this.#stored = base ?? null;
    this.#exists = base !== undefined;
    this.#tenant = base?.tenant ?? null;
    this.#position = base?.position ?? 0;
    this.#applied = base?.applied ?? 0;
  }

  run(entries: readonly LogEntry[]): FoldFailure | undefined {
    for (const entry of entries) {
      const failure = this.step(entry);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  step(entry: LogEntry): FoldFailure | undefined {
    this.#eventCount++;
    try {
      if (!this.#isOpen) this.#open();
      this.#apply(entry);
      if (this.stepwise) this.#store();
      return undefined;
    } catch (error) {
      return { entry, error };
    }
  }

  /** Returns false when the model cannot be stored. */
  close(): boolean {
    try {
      this.#store();
      return true;
    } catch {
      return false;
    }
  }

  result(): Folded {
    const snapshots = this.#snapshots.slice(0, this.#storableSnapshots);
    return { key: this.key, row: this.#stored, columns: this.#columns, snapshots };
  }

  /** How many events it was given. */
  get taken(): number {
    return this.#eventCount;
  }

  /** Whether something was folded since the last `take`. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** The current result, to be written now; folding may continue. */
  take(): Folded {
    const folded = this.result();
    this.#snapshots.splice(0);
    this.#storableSnapshots = 0;
    this.#isChanged = false;
    return folded;
  }

  #open(): void {
    this.#isOpen = true;
    this.#model = this.#stored === null ? this.rules.perspective.initial?.() : JSON.parse(this.#stored.model);
  }

  #apply(entry: LogEntry): void {
    const tenant = entry.event.scope?.['tenantId'] ?? null;
    // Another tenant may know the id of a stream: its events must neither change the row, take it over nor park it.
    if (this.#exists && tenant !== null && tenant !== this.#tenant) return;
    if (entry.fault !== undefined) throw entry.fault;
    this.#isChanged = true;
    const { perspective } = this.rules;
    const next = perspective.apply(this.#model, entry.event, this.key);
    mustBeModel(next);
    this.#position = Math.max(this.#position, entry.event.globalPosition);
    if (next === null) {
      this.#exists = false;
      this.#applied = 0;
      this.#tenant = null;
      this.#model = perspective.initial?.();
      return;
    }
    this.#model = next;
    if (!this.#exists) this.#tenant = tenant;
    this.#exists = true;
    this.#applied++;
    if (this.#applied % (perspective.snapshotEvery ?? 100) === 0) this.#addSnapshot(entry);
  }

  #addSnapshot(entry: LogEntry): void {
    this.#snapshots.push({ ...this.#serialize(), entry });
    if (this.#snapshots.length <= snapshotsKept) return;
    this.#snapshots.shift();
    this.#storableSnapshots = Math.max(0, this.#storableSnapshots - 1);
  }

  #store(): void {
    const stored = this.#exists ? this.#serialize() : null;
    this.#columns = stored === null ? {} : this.#columnsOf(stored);
    this.#stored = stored;
    this.#storableSnapshots = this.#snapshots.length;
  }

  #columnsOf({ tenant }: StoredModel): Record<string, unknown> {
    const entries = this.rules.table.columns.map((column) => {
      const value = columnValue(column, this.#model);
      mustFitEntry(column, value, this.key, tenant ?? '');
      return [column.column, value] as const;
    });
    return Object.fromEntries(entries);
  }

  #serialize(): StoredModel {
    const model = JSON.stringify(this.#model) as string | undefined;
    if (model === undefined)
      throw new Problem('invalid-model', {
        detail: `apply returned ${kindOf(this.#model)}; return plain data.`,
      });
    if (!isStorable(model))
      throw new Problem('invalid-model', {
        detail: 'The model cannot be stored: it contains U+0000 or an unpaired surrogate.',
      });
    return { model, tenant: this.#tenant, position: this.#position, applied: this.#applied };
  }
}

function mustBeModel(next: unknown): void {
  if (next === undefined)
    throw new Problem('invalid-model', {
      detail: 'apply returned undefined; return the model, or null to delete the row.',
    });
  if (isThenable(next))
    throw new Problem('invalid-model', { detail: 'apply returned a promise; it must be synchronous.' });
}
