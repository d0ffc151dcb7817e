import type { Long } from '../../contracts/scalars.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Session } from '../database/database.js';
import type { ParkedKey } from './batch.js';
import { Fold, type Folded, type FoldFailure, type FoldRules } from './fold.js';
import { keyOf } from './group.js';
import type { LogEntry } from './log-entry.js';
import { orderedEntries } from './ordered-entries.js';
import { parkedKey } from './rebuild-folds.js';

const attempts = 3;

/** Some rows from their first event on, in the order in which things happened; one that fails stays as it was before that. */
export class CarefulFolds {
  readonly #folds: ReadonlyMap<string, Fold>;
  readonly #failures = new Map<string, FoldFailure>();
  #position: Long = 0;
  #events = 0;

  constructor(
    private readonly rules: FoldRules,
    readonly keys: readonly string[],
  ) {
    this.#folds = new Map(keys.map((key) => [key, new Fold(rules, undefined, true)]));
  }

  /** Goes on to a position; false when something late came in between, so that all has to begin anew. */
  async read(
    session: Session,
    upcasters: Upcasters | undefined,
    to: Long,
    taken: (entries: readonly LogEntry[]) => void = () => undefined,
  ): Promise<boolean> {
    const { table, perspective } = this.rules;
    const inOrder = table.byStream || perspective.late === 'rebuild';
    const isFirst = this.#position === 0;
    const source = {
      types: table.types,
      after: this.#position,
      to,
      order: inOrder ? ('happened' as const) : ('stored' as const),
      upcasters,
      ...(table.byStream ? { streams: this.keys } : {}),
    };
    for await (const entries of orderedEntries(session, source)) {
      const ours = entries.filter((entry) => this.#isOurs(entry));
      if (inOrder && !isFirst && ours.some(({ late }) => late)) return false;
      for (const entry of ours) this.#step(entry);
      this.#events += ours.length;
      taken(ours);
    }
    this.#position = to;
    return true;
  }

  get position(): Long {
    return this.#position;
  }

  get events(): number {
    return this.#events;
  }

  get folded(): readonly Folded[] {
    return this.keys.flatMap((key) => {
      const result = this.#folds.get(key)?.result(key);
      const failure = this.#failures.get(key);
      if (result === undefined) return [];
      return [failure === undefined ? result : { ...result, failure }];
    });
  }

  get failures(): readonly FoldFailure[] {
    return [...this.#failures.values()];
  }

  get parked(): readonly ParkedKey[] {
    return Array.from(this.#failures, ([key, failure]) => parkedKey(key, failure, attempts));
  }

  #step(entry: LogEntry): void {
    const key = keyOf(this.rules, entry);
    if (this.#failures.has(key)) return;
    const failure = this.#folds.get(key)?.step(entry);
    if (failure !== undefined) this.#failures.set(key, failure);
  }

  #isOurs(entry: LogEntry): boolean {
    try {
      return this.#folds.has(keyOf(this.rules, entry));
    } catch {
      return false;
    }
  }
}

/** A row that fails may do better a moment later. */
export async function foldCarefully(
  make: () => Promise<CarefulFolds>,
  pause: (attempt: number) => Promise<unknown>,
): Promise<CarefulFolds> {
  for (let attempt = 1; ; attempt++) {
    const folds = await make();
    if (folds.failures.length === 0 || attempt >= attempts) return folds;
    await pause(attempt);
  }
}
