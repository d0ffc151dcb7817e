import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import type { TableColumn } from '../tables/perspective-table.js';
import { RowCursors, withRank } from './row-cursor.js';
import { sortKeysOf } from './row-segments.js';
import type { RowFilter } from './rows-query.js';

const test = suite('row cursor');

const total: TableColumn = { name: 'total', column: 'total', type: 'numeric', of: () => null };
const status: TableColumn = { name: 'status', column: 'status', type: 'text', of: () => null };
const keys = sortKeysOf({ sort: [{ column: total, descending: true }], newestFirst: false });
const open: RowFilter = { column: status, operator: 'eq', values: ['open'] };
const cheap: RowFilter = { column: total, operator: 'lt', values: ['5'] };
const cursors = new RowCursors('orders', keys, [open, cheap]);
const decoded = { rank: 7, values: ['12.50', 'a'] };

const refusalOf = (cursor: string, by = cursors): string | undefined => {
  try {
    by.decode(cursor);
    return undefined;
  } catch (error) {
    assert.instance(error, Problem);
    assert.is((error as Problem).code, 'invalid-query');
    return (error as Problem).detail;
  }
};

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a cursor is read by the query that made it, in whatever order its filters are written', () => {
  const cursor = cursors.cursorAt(decoded);
  assert.match(cursor, /^[\w-]+$/);
  assert.equal(cursors.decode(cursor), decoded);
  assert.equal(new RowCursors('orders', keys, [cheap, open]).decode(cursor), decoded);
  assert.equal(cursors.decode(cursors.cursorAt({ rank: 1, values: [null, 'a'] })).values, [null, 'a']);
  assert.equal(cursors.decode(withRank(cursor, 3)), { ...decoded, rank: 3 });
});

test('a cursor of another query is refused: other filters, another order, another perspective', () => {
  const cursor = cursors.cursorAt(decoded);
  const ascending = sortKeysOf({ sort: [{ column: total, descending: false }], newestFirst: false });
  for (const other of [
    new RowCursors('orders', keys, [open]),
    new RowCursors('orders', keys, [open, { ...cheap, operator: 'lte' }]),
    new RowCursors('orders', keys, [open, { ...cheap, values: ['6'] }]),
    new RowCursors('orders', ascending, [open, cheap]),
    new RowCursors('invoices', keys, [open, cheap]),
  ])
    assert.match(
      refusalOf(cursor, other) ?? '',
      /^cursor belongs to another query; send it with the filters/,
    );
});

test('what is not a cursor, or holds a value that its column cannot, is refused', () => {
  const [version, query] = JSON.parse(Buffer.from(cursors.cursorAt(decoded), 'base64url').toString()) as [
    number,
    string,
  ];
  for (const [hostile, name] of [
    ['', 'nothing'],
    ['%%%', 'no base64'],
    [encoded({}), 'no list'],
    [encoded([2, query, 1, '1', 'a']), 'another version'],
    [encoded([version, query, 0, '1', 'a']), 'no rank'],
    [encoded([version, query, 1e300, '1', 'a']), 'a rank that no page has'],
    [encoded([version, 7, 1, '1', 'a']), 'no query'],
    [encoded([version, query, 1, 'x', 'a']), 'no number'],
    [encoded([version, query, 1, 1, 'a']), 'no text'],
    [encoded([version, query, 1, '1', null]), 'no id'],
    [encoded([version, query, 1, '1', 'a\0']), 'an id with U+0000'],
    [encoded([version, query, 1, '1']), 'too few'],
    [encoded([version, query, 1, '1', 'a', 'a']), 'too many'],
    [encoded([version, query, 1, '1', 'a'.repeat(20_000)]), 'too long'],
  ] as const)
    assert.is(refusalOf(hostile), 'cursor is not one that a page returned.', name);
});
