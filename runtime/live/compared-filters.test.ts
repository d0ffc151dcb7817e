import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { TableColumn } from '../perspectives/tables/perspective-table.js';
import { mustBeComparable } from './compared-filters.js';
import { rowSelection } from './row-selection.js';
import type { Watcher } from './watcher.js';

const test = suite('compared filters');

const total: TableColumn = { name: 'total', column: 'total', type: 'integer', of: () => null };
const status: TableColumn = { name: 'status', column: 'status', type: 'text', of: () => null };
const scope = rowSelection('north', []);

const watcher = (caller: string | undefined, column: TableColumn, value: number): Watcher => ({
  caller,
  scope,
  selection: rowSelection('north', [{ column, operator: 'eq', values: [String(value)] }]),
  isLimited: false,
  send: () => undefined,
});

/** How many of different filters are let in, and why the next one is not. */
function admitted(watchers: readonly Watcher[]): readonly [count: number, code: string] {
  const open: Watcher[] = [];
  for (const one of watchers)
    try {
      mustBeComparable(open, one);
      open.push(one);
    } catch (error) {
      return [open.length, error instanceof Problem ? error.code : 'unexpected'];
    }
  return [open.length, ''];
}

const many = (caller: (at: number) => string | undefined, column = total, values = 300): readonly Watcher[] =>
  Array.from({ length: 300 }, (_, at) => watcher(caller(at), column, at % values));

test('a host compares so many different filters, and one caller has a fifth of them', () => {
  assert.equal(admitted(many((at) => `caller ${at}`)), [200, 'overloaded']);
  assert.equal(admitted(many(() => 'ann')), [40, 'rate-limited']);
  const others = many(() => 'ann').slice(0, 40);
  assert.equal(admitted([...others, watcher('bob', total, 1_000)]), [41, '']);
});

test('filters that are equal, or compared without PostgreSQL, count once or not at all', () => {
  assert.equal(admitted(many(() => 'ann', total, 40)), [300, '']);
  assert.equal(admitted(many(() => 'ann', status)), [300, '']);
  assert.equal(admitted(many(() => undefined)), [200, 'overloaded']);
});
