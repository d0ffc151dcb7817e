import type { Long } from '../../contracts/scalars.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Session } from '../database/database.js';
import type { ParkedKey } from './write-batch.js';
import { parkedKey } from './failure-text.js';
import { Fold, type Folded, type FoldFailure, type FoldRules } from './fold.js';
import { keylessKeyOf, keyOf } from './group-by-key.js';
import { countOnlyUnfolded } from './count-events-of-parked-rows.js';
import type { LogEntry } from '../log/log-entry.js';
import { orderedEntries } from '../log/ordered-entries.js';

const attempts = 3;

/** Folds some rows from their first event, in order of occurrence; a row that fails stays as it was before the failure. */
export class StepwiseFolds {
  readonly #folds: ReadonlyMap<string, Fold>;
  readonly #failures = new Map<string, FoldFailure>();
  /** Events that may belong to these rows. */
  readonly #keyless = new Map<string, FoldFailure>();
  readonly #unfoldedStreams = new Set<string>();
  readonly #foldedStreams = new Set<string>();
  #position: Long = 0;
  #events = 0;

  constructor(
    private readonly rules: FoldRules,
    readonly keys: readonly string[],
  ) {
    this.#folds = new Map(keys.map((key) => [key, new Fold(rules, key, undefined, true)]));
  }

  /** Continues to a position; returns false when a late event arrived in between and everything must start over. */
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
      origin: table.origin,
      after: this.#position,
      to,
      order: inOrder ? ('happened' as const) : ('stored' as const),
      upcasters,
      ...(table.byStream ? { streams: this.keys } : {}),
    };
    for await (const entries of orderedEntries(session, source)) {
      const keyed = entries.map((entry) => [this.#keyOf(entry), entry] as const);
      const ours = keyed.filter(([key]) => this.#folds.has(key));
      if (inOrder && !isFirst && ours.some(([, { late }]) => late)) return false;
      for (const [key, entry] of ours) this.#step(key, entry);
      taken(ours.map(([, entry]) => entry));
    }
    this.#position = to;
    return true;
  }

  get position(): Long {
    return this.#position;
  }

  /** How many events were folded. */
  get events(): number {
    return this.#events;
  }

  /** How many streams have only events that were not folded. */
  get unfoldedStreams(): number {
    return countOnlyUnfolded(this.#foldedStreams, this.#unfoldedStreams);
  }

  get folded(): readonly Folded[] {
    return this.keys.flatMap((key) => {
      const result = this.#folds.get(key)?.result();
      const failure = this.#failures.get(key);
      if (result === undefined) return [];
      return [failure === undefined ? result : { ...result, failure }];
    });
  }

  get failures(): readonly FoldFailure[] {
    return [...this.#failures.values(), ...this.#keyless.values()];
  }

  get parked(): readonly ParkedKey[] {
    return [...this.#failures, ...this.#keyless].map(([key, failure]) =>
      parkedKey(this.rules, key, failure, attempts),
    );
  }

  #step(key: string, entry: LogEntry): void {
    const failure = this.#failures.get(key) ?? this.#folds.get(key)?.step(entry);
    if (failure === undefined) {
      this.#events++;
      this.#foldedStreams.add(entry.event.streamId);
    } else {
      this.#failures.set(key, failure);
      this.#unfoldedStreams.add(entry.event.streamId);
    }
  }

  #keyOf(entry: LogEntry): string {
    try {
      return keyOf(this.rules, entry);
    } catch (error) {
      const key = keylessKeyOf(entry.event.messageId);
      this.#keyless.set(key, { entry, error });
      this.#unfoldedStreams.add(entry.event.streamId);
      return key;
    }
  }
}

/** Retries a row that fails: the failure may be temporary. */
export async function foldStepwise(
  make: () => Promise<StepwiseFolds>,
  pause: (attempt: number) => Promise<unknown>,
): Promise<StepwiseFolds> {
  for (let attempt = 1; ; attempt++) {
    const folds = await make();
    if (folds.failures.length === 0 || attempt >= attempts) return folds;
    await pause(attempt);
  }
}
