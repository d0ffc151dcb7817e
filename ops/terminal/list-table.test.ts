import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { listTable } from './list-table.js';

const test = suite('lists on a terminal');

const shown = (rows: readonly object[]): string =>
  listTable(rows)
    .map(({ text }) => text)
    .join('');

const rows = [
  { name: 'order-summary', error: null, lag: 0, state: 'live', updatedAt: 'noon' },
  { name: 'audit', error: 'No\nink.', lag: 12, state: 'parked', updatedAt: '' },
];

test('each column has a head, its values stand below it, and errors come last', () => {
  assert.is(
    shown(rows),
    `NAME           LAG  STATE   UPDATED AT  ERROR
order-summary  0    live    noon        \naudit          12   parked              No\\u000aink.\n`,
  );
});

test('a column without a value is left out', () => {
  assert.is(shown([{ id: 1, tenant: null, note: undefined }]), 'ID\n1\n');
});

test('a state is shown by its color', () => {
  const styles = listTable(rows).filter(({ style }) => style !== undefined && style !== 'head');
  assert.equal(
    styles.map(({ text, style }) => `${text} ${style}`),
    ['live good', 'parked warn'],
  );
});
