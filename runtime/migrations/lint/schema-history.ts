import type { Effect } from './effects.js';

export interface KnownColumn {
  /** The index of the file that added it. */
  readonly since: number;
  /** Every row has a value. */
  isFilled: boolean;
  /** A validated constraint shows that: SET NOT NULL need not read the table. */
  isValidated: boolean;
}

interface KnownObject {
  since: number | undefined;
  /** Its columns are all known, because a file creates it. */
  isComplete: boolean;
  readonly columns: Map<string, KnownColumn>;
  /** By the name of the constraint that requires them. */
  readonly required: Map<string, string>;
  droppedBy: number | undefined;
}

/** What the files up to now have created, as far as they show it. */
export class SchemaHistory {
  readonly #objects = new Map<string, KnownObject>();

  object(name: string): KnownObject | undefined {
    return this.#objects.get(name);
  }

  column(name: string, column: string): KnownColumn | undefined {
    return this.#objects.get(name)?.columns.get(column);
  }

  columnOf(name: string, constraint: string): string | undefined {
    return this.#objects.get(name)?.required.get(constraint);
  }

  fill(name: string, column: string): void {
    const known = this.column(name, column);
    if (known !== undefined) known.isFilled = true;
  }

  /** Takes an effect of the file with this index into account. */
  apply(effect: Effect, index: number): void {
    const { object } = effect;
    if (effect.kind === 'creates') return this.#create(effect, index);
    if (effect.kind === 'renames') return this.#rename(object, effect.to);
    const known = this.#known(object);
    if (effect.kind === 'drops') known.droppedBy = index;
    if (effect.kind === 'adds')
      known.columns.set(effect.column, { since: index, isFilled: effect.hasValue, isValidated: false });
    if (effect.kind === 'drops-column') known.columns.delete(effect.column);
    if (effect.kind === 'backfills') this.fill(object, effect.column);
    if (effect.kind === 'renames-column') renameKey(known.columns, effect.column, effect.to);
    if (effect.kind === 'requires') this.#require(effect);
    if (effect.kind === 'validates') this.#validate(object, this.columnOf(object, effect.constraint));
  }

  #create({ object, columns }: Extract<Effect, { kind: 'creates' }>, since: number): void {
    const known = (columns ?? []).map(({ column, hasValue }): [string, KnownColumn] => [
      column,
      { since, isFilled: hasValue, isValidated: false },
    ]);
    const before = this.#objects.get(object);
    // IF NOT EXISTS creates nothing if the table is there.
    if (before !== undefined && before.droppedBy === undefined) return;
    const isComplete = columns !== undefined;
    this.#objects.set(object, { ...unknown(), since, isComplete, columns: new Map(known) });
  }

  #rename(from: string, to: string): void {
    renameKey(this.#objects, from, to);
  }

  #require({ object, column, by, constraint }: Extract<Effect, { kind: 'requires' }>): void {
    if (constraint !== undefined) this.#known(object).required.set(constraint, column);
    if (by !== 'not-valid') this.#validate(object, column);
  }

  #validate(object: string, column: string | undefined): void {
    const known = column === undefined ? undefined : this.column(object, column);
    if (known !== undefined) Object.assign(known, { isFilled: true, isValidated: true });
  }

  #known(name: string): KnownObject {
    const known = this.#objects.get(name) ?? unknown();
    this.#objects.set(name, known);
    return known;
  }
}

const unknown = (): KnownObject => ({
  since: undefined,
  isComplete: false,
  columns: new Map(),
  required: new Map(),
  droppedBy: undefined,
});

function renameKey<T>(map: Map<string, T>, from: string, to: string): void {
  const value = map.get(from);
  if (value === undefined) return;
  map.delete(from);
  map.set(to, value);
}
