import type { Long } from '../../../contracts/scalars.js';
import type { Upcasters } from '../../../contracts/upcaster.js';
import type { Session } from '../../database/database.js';
import type { ParkedKey } from '../fold/write-batch.js';
import { parkedKey } from '../parked/failure-text.js';
import { Fold, type Folded, type FoldFailure, type FoldRules } from '../fold/fold.js';
import { keylessKeyOf, keysOf } from '../fold/group-by-key.js';
import { countOnlyUnfolded } from './count-events-of-parked-rows.js';
import type { LogEntry } from '../../log/log-entry.js';
import { orderedEntries } from '../../log/ordered-entries.js';

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
      const keyed = entries.map((entry) => ({ entry, keys: this.#ours(entry) }));
      const ours = keyed.filter(({ keys }) => keys.length > 0);
      if (inOrder && !isFirst && ours.some(({ entry }) => entry.late)) return false;
      for (const { entry, keys } of ours) this.#step(keys, entry);
      taken(ours.map(({ entry }) => entry));
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

  #step(keys: readonly string[], entry: LogEntry): void {
    let isFolded = true;
    for (const key of keys) {
      const failure = this.#failures.get(key) ?? this.#folds.get(key)?.step(entry);
      if (failure === undefined) continue;
      this.#failures.set(key, failure);
      isFolded = false;
    }
    if (isFolded) this.#events++;
    (isFolded ? this.#foldedStreams : this.#unfoldedStreams).add(entry.event.streamId);
  }

  /** Which of these rows an event belongs to. */
  #ours(entry: LogEntry): readonly string[] {
    try {
      return keysOf(this.rules, entry).filter((key) => this.#folds.has(key));
    } catch (error) {
      this.#keyless.set(keylessKeyOf(entry.event.messageId), { entry, error });
      this.#unfoldedStreams.add(entry.event.streamId);
      return [];
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
