import { createHash } from 'node:crypto';
import type { ColumnType } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import { textForms } from '../tables/column-text.js';
import type { KeyValues, SortKey } from './row-segments.js';
import type { RowCursor, RowFilter } from './rows-query.js';

/** Where a page begins, in the order of its query. */
interface DecodedCursor {
  /** How many rows came up to this row when the cursor was made. */
  readonly rank: number;
  readonly values: KeyValues;
}

const version = 1;

// Node.js accepts no longer URL.
const maxLength = 16_384;

/** Makes and reads the cursors of one query: one of another query would skip rows or repeat them. */
export class RowCursors {
  readonly #query: string;

  constructor(
    perspective: string,
    private readonly keys: readonly SortKey[],
    filters: readonly RowFilter[],
  ) {
    const conditions = filters.map(({ column, operator, values }) =>
      JSON.stringify([column.name, operator, values]),
    );
    const order = keys.map(({ column, descending }) => [column, descending]);
    this.#query = createHash('sha256')
      .update(JSON.stringify([perspective, order, conditions.toSorted()]))
      .digest('base64url')
      .slice(0, 12);
  }

  cursorAt({ rank, values }: DecodedCursor): RowCursor {
    return textOf([version, this.#query, rank, ...values]);
  }

  decode(cursor: RowCursor): DecodedCursor {
    const [made, query, rank, ...values] = partsOf(cursor);
    const isOurs = made === version && Number.isSafeInteger(rank) && Number(rank) > 0;
    if (!isOurs || typeof query !== 'string') throw refused('is not one that a page returned');
    if (query !== this.#query)
      throw refused('belongs to another query; send it with the filters and the sort of the page it is from');
    if (!this.#fits(values)) throw refused('is not one that a page returned');
    return { rank: Number(rank), values };
  }

  #fits(values: readonly unknown[]): values is KeyValues {
    return (
      values.length === this.keys.length &&
      this.keys.every(({ type, isNullable }, at) => {
        const value = values[at];
        return value === null ? isNullable : typeof value === 'string' && isHeldBy(type, value);
      })
    );
  }
}

// In UTC, the first and the last day of a time with four digits for its year may be of another year.
const otherYear =
  /^(?:10000-01-01T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,6})?\+00:00|0001-12-31T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,6})?\+00:00 BC)$/;

/** Whether PostgreSQL may have written the value of a column so. */
const isHeldBy = (type: ColumnType, value: string): boolean =>
  textForms[type].fits(value) || (type === 'timestamptz' && otherYear.test(value));

/** The cursor with another rank, where the rows before it are not to be counted. */
export function withRank(cursor: RowCursor, rank: number): RowCursor {
  const [made, query, , ...values] = partsOf(cursor);
  return textOf([made, query, rank, ...values]);
}

const textOf = (parts: readonly unknown[]): RowCursor =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

function partsOf(cursor: RowCursor): readonly unknown[] {
  try {
    const parts: unknown =
      cursor.length > maxLength ? undefined : JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

const refused = (fault: string): Problem =>
  new Problem('invalid-query', {
    detail: `cursor ${fault}.`,
    errors: [{ path: '/cursor', message: fault }],
  });
