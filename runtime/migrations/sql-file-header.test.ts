import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { headerOf } from './sql-file-header.js';

const test = suite('file header');

test('a file without a header has no settings', () => {
  assert.equal(headerOf('a.sql', '-- a comment\nSELECT 1'), {
    copy: undefined,
    isRepeatable: false,
    levels: { level: 1, least: 1 },
  });
});

test('a column copy names table, column, type and the new value', () => {
  const sql =
    '-- svc: column-copy table=shop.orders column=total type=numeric(12, 2) using=total / 100 || using=x';
  assert.equal(headerOf('a.sql', sql).copy, {
    table: 'shop.orders',
    column: 'total',
    type: 'numeric(12, 2)',
    using: 'total / 100 || using=x',
  });
});

test('a file is repeatable only if its first line declares it', () => {
  assert.is(headerOf('a.sql', '-- svc: repeatable\r\n-- svc: level=2\nSELECT 1').isRepeatable, true);
  assert.throws(() => headerOf('a.sql', 'SELECT 1;\n-- svc: repeatable'), /on the first line only/);
});

test('a byte order mark before the first line is not part of it', () => {
  assert.is(headerOf('a.sql', '\ufeff-- svc: repeatable\nSELECT 1').isRepeatable, true);
});

test('a column copy with an expression is not repeatable: it would run over its own values', () => {
  const copy = '-- svc: repeatable\n-- svc: column-copy table=loaves column=weight type=bigint';
  assert.is(headerOf('a.sql', copy).isRepeatable, true);
  assert.throws(() => headerOf('a.sql', `${copy} using=weight / 1000`), /cannot be repeatable/);
});

test('without using= the column is cast', () => {
  const sql = '-- svc: column-copy table=orders column=total type=timestamp with time zone';
  assert.is(headerOf('a.sql', sql).copy?.using, 'total::timestamp with time zone');
});

test('a level is what the file provides, a min-level what it requires of every host', () => {
  assert.equal(headerOf('a.sql', '-- svc: level=3').levels, { level: 3, least: 1 });
  assert.equal(headerOf('a.sql', 'SELECT 1;\n  --svc: min-level=2').levels, { level: 2, least: 2 });
});

for (const sql of [
  '-- svc: colum-copy table=a',
  '-- svc: column-copy table=orders column=total',
  '-- svc: column-copy table=orders column=total type=int color=red',
  '-- svc: column-copy table=a;b column=total type=int',
  '-- svc: column-copy table=orders column=Total type=int',
  '-- svc: level=high',
]) {
  test(`'${sql}' is rejected with an example`, () => {
    assert.throws(() => headerOf('a.sql', sql), /^a\.sql: .*; write -- svc: column-copy table=orders/);
  });
}
