import * as assert from 'uvu/assert';
import type { ColumnType } from '../../../contracts/perspective.js';
import { suite } from '../../../contracts/testing/suite.js';
import { isStorable } from '../../lang/storable-text.js';
import { columnValue, mustFitEntry } from './column-value.js';

const test = suite('column value');

const of = (type: ColumnType, value: unknown) =>
  columnValue({ name: 'x', column: 'x', type, of: () => value }, undefined);

const uuid = '018f0000-0000-7000-8000-000000000001';
const fitting: readonly (readonly [ColumnType, unknown])[] = [
  ['text', 'a'],
  ['text', 5],
  ['uuid', uuid],
  ['integer', -5],
  ['integer', '5'],
  ['bigint', Number.MAX_SAFE_INTEGER],
  ['bigint', '922337203685477580'],
  ['numeric', '12.50'],
  ['numeric', 0.1],
  ['boolean', false],
  ['timestamptz', '2026-03-01T10:00:00Z'],
  ['timestamptz', '0001-03-01T10:00:00+15:59'],
];
const unfit: readonly (readonly [ColumnType, unknown])[] = [
  ['text', 'x'.repeat(2_001)],
  ['text', 'a\0b'],
  ['text', {}],
  ['uuid', 'abc'],
  ['integer', 2 ** 31],
  ['integer', '2147483648'],
  ['integer', 1.5],
  ['bigint', '9'.repeat(19)],
  ['numeric', '1e5'],
  ['numeric', Number.NaN],
  ['boolean', 'true'],
  ['timestamptz', '2026-02-30T10:00:00Z'],
  ['timestamptz', '0000-03-01T10:00:00Z'],
  ['timestamptz', '2026-03-01T10:00:00-16:00'],
];

test('a value that fits its column is unchanged, and undefined becomes null', () => {
  for (const [type, value] of fitting) assert.is(of(type, value), value);
  assert.is(of('uuid', undefined), null);
  assert.is(of('uuid', null), null);
});

test('a value that PostgreSQL would reject is rejected before the batch', () => {
  for (const [type, value] of unfit)
    assert.throws(() => of(type, value), /Column 'x' is/, `${type} ${String(value)}`);
});

test('a text must fit its index together with the key and the tenant of its row', () => {
  const column = { name: 'note', column: 'note', type: 'text', of: () => null } as const;
  const fit = (bytes: number, key: string, tenant = '') =>
    mustFitEntry(column, 'x'.repeat(bytes), key, tenant);
  fit(2_000, uuid, 'north');
  fit(1_500, 'k'.repeat(1_000), 't'.repeat(100));
  assert.throws(() => fit(1_600, 'k'.repeat(1_000), 't'), /too long together with the key of its row/);
  assert.throws(() => fit(2_000, uuid, '€'.repeat(200)), /Column 'note' holds a text of 2000 characters/);
});

test('an escaped backslash before u0000 is text like any other', () => {
  assert.not(isStorable(JSON.stringify('\0')));
  assert.not(isStorable(JSON.stringify('\ud800')));
  assert.ok(isStorable(JSON.stringify('\\u0000')));
  assert.ok(isStorable(JSON.stringify('😀')));
});
