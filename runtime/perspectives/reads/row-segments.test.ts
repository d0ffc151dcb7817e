import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import {
  type KeyValues,
  type RowCondition,
  type RowSegment,
  segmentsOf,
  sortKeysOf,
} from './row-segments.js';
import type { TableColumn } from '../tables/perspective-table.js';

const test = suite('row segments');

const column = (name: string): TableColumn => ({ name, column: name, type: 'integer', of: () => null });
const sortBy = (...names: readonly string[]) =>
  names.map((name) => ({ column: column(name.replace('-', '')), descending: name.startsWith('-') }));
const keysFor = (...names: readonly string[]) => sortKeysOf({ sort: sortBy(...names), newestFirst: false });

type Row = Readonly<Record<string, number | null>>;

const anyValue = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null });
const anyRows = fc
  .array(fc.record({ a: anyValue, b: anyValue }), { maxLength: 12 })
  .map((rows) => rows.map((row, id): Row => ({ ...row, id })));
const anySort = fc.uniqueArray(fc.constantFrom('a', '-a', 'b', '-b'), {
  selector: (name) => name.replace('-', ''),
});

const compare = (a: Row, b: Row, order: RowSegment['order']): number => {
  for (const { column: name, descending } of order) {
    const [x, y] = [a[name] ?? null, b[name] ?? null];
    if (x === y) continue;
    if (x === null || y === null) return x === null ? 1 : -1;
    return descending ? y - x : x - y;
  }
  return 0;
};

const holds = (row: Row, { column: name, is, values }: RowCondition): boolean => {
  const held = row[name] ?? null;
  if (is === 'null' || is === 'present') return (held === null) === (is === 'null');
  const value = Number(values[0]);
  return held !== null && (is === 'in' ? held === value : is === 'gt' ? held > value : held < value);
};

const read = (rows: readonly Row[], segments: readonly RowSegment[]): readonly Row[] =>
  segments.flatMap(({ where, order }) =>
    rows
      .filter((row) => where.every((condition) => holds(row, condition)))
      .sort((a, b) => compare(a, b, order)),
  );

test('the segments after a row are all rows after it, in order and once, whatever is sorted by and null', () => {
  fc.assert(
    fc.property(anyRows, anySort, (rows, sort) => {
      const keys = keysFor(...sort);
      const all = rows.toSorted((a, b) => compare(a, b, keys));
      assert.equal(read(rows, segmentsOf(keys)), all);
      for (const [at, row] of all.entries()) {
        const values: KeyValues = keys.map(({ column: name }) => row[name]?.toString() ?? null);
        assert.equal(read(rows, segmentsOf(keys, values)), all.slice(at + 1));
      }
    }),
  );
});

test('ties follow the direction of the sort, and without a sort what changed last comes first if declared', () => {
  const order = (names: readonly string[], newestFirst: boolean) =>
    sortKeysOf({ sort: sortBy(...names), newestFirst }).map(
      ({ column: name, descending }) => (descending ? '-' : '') + name,
    );
  assert.equal(order([], false), ['id']);
  assert.equal(order([], true), ['-position', '-id']);
  assert.equal(order(['-a'], true), ['-a', '-id']);
  assert.equal(order(['-a', 'b', 'a'], false), ['-a', 'b', 'id']);
});

test('only a descending sort is read in two parts: an index has nulls at one end', () => {
  assert.is(segmentsOf(keysFor('a', '-b')).length, 1);
  assert.equal(
    segmentsOf(keysFor('-a')).map(({ where }) => where.map(({ is }) => is)),
    [['present'], ['null']],
  );
});
