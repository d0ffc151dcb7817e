import { Lru } from '../lang/lru.js';
import type { StoredModel } from '../perspectives/fold/fold.js';

const maxRows = 2_000;
const maxModelLength = 8_192;

/** Rows as they are at the position of a tail, so that few changes need the history of their row. */
export class KnownRows {
  #rows = empty();

  /** Undefined: not known. Null: there is no such row. */
  get(key: string): StoredModel | null | undefined {
    const known = this.#rows.get(key);
    return known === 'forgotten' ? undefined : known === 'absent' ? null : known;
  }

  set(key: string, row: StoredModel | undefined): void {
    if (row !== undefined && row.model.length > maxModelLength) this.#rows.set(key, 'forgotten');
    else this.#rows.set(key, row === undefined ? 'absent' : plain(row));
  }

  forget(key: string): void {
    if (this.#rows.get(key) !== undefined) this.#rows.set(key, 'forgotten');
  }

  clear(): void {
    this.#rows = empty();
  }
}

const empty = () => new Lru<StoredModel | 'absent' | 'forgotten'>(maxRows, Infinity);

/** Without the parsed model. */
const plain = ({ model, tenant, position, applied }: StoredModel): StoredModel => ({
  model,
  tenant,
  position,
  applied,
});
