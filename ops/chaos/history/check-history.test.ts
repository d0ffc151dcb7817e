import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { checkHistory } from './check-history.js';
import { ednOf, type Operation, type Transaction, type TransactionEnd } from './history.js';

const test = suite('the check of histories');

const operationOf = (text: string): Operation => {
  const [, f, key, rest = ''] = /^([ar])(\d+):(.*)$/.exec(text) ?? [];
  if (f === 'a') return { f: 'append', key: Number(key), value: Number(rest) };
  return { f: 'r', key: Number(key), list: rest === '' ? [] : rest.split(',').map(Number) };
};

/** `a1:5` appends 5 to key 1, `r1:4,5` reads its list. */
const ran = (invoked: number, ended: number, text: string, end: TransactionEnd = 'ok'): Transaction => ({
  process: invoked,
  invoked,
  ended,
  end,
  operations: text.split(' ').map(operationOf),
});

/** Overlapping transactions, for what does not depend on time. */
const together = (...texts: readonly string[]): readonly Transaction[] =>
  texts.map((text, index) => ran(index, 100 + index, text));

const names = (
  transactions: readonly Transaction[],
  stored: Readonly<Record<number, readonly number[]>>,
): readonly string[] =>
  checkHistory(transactions, new Map(Object.entries(stored).map(([key, list]) => [Number(key), list]))).map(
    ({ name }) => name,
  );

test('a serial history has no anomaly', () => {
  const serial = [
    ran(0, 1, 'r1: a1:1 r1:1'),
    ran(2, 3, 'r1:1 a1:2 a2:1'),
    ran(4, 5, 'a1:9', 'fail'),
    ran(6, 7, 'a2:2', 'info'),
    ran(8, 9, 'r2:1,2 r1:1,2 a1:3'),
  ];
  assert.equal(names(serial, { 1: [1, 2, 3], 2: [1, 2] }), []);
});

test('G0: two transactions each overwrite the other', () => {
  assert.equal(names(together('a1:1 a2:1', 'a1:2 a2:2'), { 1: [1, 2], 2: [2, 1] }), ['G0']);
});

test('G1a: what was refused is read, or stored', () => {
  const history = [ran(0, 3, 'a1:1', 'fail'), ran(1, 2, 'r1:1')];
  assert.equal(names(history, { 1: [1] }), ['G1a', 'G1a']);
  assert.equal(names(history.slice(0, 1), { 1: [1] }), ['G1a']);
});

test('G1b: a value is read that its transaction replaced later', () => {
  assert.ok(names(together('a1:1 a1:2', 'r1:1'), { 1: [1, 2] }).includes('G1b'));
});

test('G1c: two transactions each read what the other wrote', () => {
  assert.equal(names(together('a1:1 r2:1', 'a2:1 r1:1'), { 1: [1], 2: [1] }), ['G1c']);
});

test('G-single: a transaction sees one write of another and misses the second', () => {
  assert.equal(names(together('a1:1 a2:1', 'r1:1 r2:'), { 1: [1], 2: [1] }), ['G-single']);
});

test('G2: each of two transactions misses the write of the other', () => {
  assert.equal(names(together('r1: a2:1', 'r2: a1:1'), { 1: [1], 2: [1] }), ['G2']);
});

test('lost update: two transactions change the same version', () => {
  assert.equal(names(together('r1: a1:1', 'r1: a1:2'), { 1: [1, 2] }), ['lost-update', 'G-single']);
});

test('a value that was acknowledged and is not stored is lost', () => {
  assert.equal(names(together('a1:1', 'a1:2'), { 1: [1] }), ['lost-append']);
});

test('a value that is stored twice, or that nobody appended, is found', () => {
  assert.equal(names(together('a1:1'), { 1: [1, 1] }), ['duplicate']);
  assert.equal(names(together('a1:1'), { 1: [1, 7] }), ['never-appended']);
});

test('a list that does not begin like the stored one is found', () => {
  assert.equal(names(together('a1:1', 'a1:2', 'r1:2'), { 1: [1, 2] }), ['incompatible-order']);
});

test('a transaction must see what it did itself', () => {
  assert.equal(names(together('r1: a1:1 r1:'), { 1: [1] }), ['internal']);
});

test('a read that began after an append had ended must see it', () => {
  assert.equal(names([ran(0, 1, 'a1:1'), ran(2, 3, 'r1:')], { 1: [1] }), ['G-single-time']);
  assert.equal(names([ran(0, 3, 'a1:1'), ran(1, 2, 'r1:')], { 1: [1] }), []);
});

test('nobody knows when a transaction without an answer ended', () => {
  assert.equal(names([ran(0, 1, 'a1:1', 'info'), ran(2, 3, 'r1:')], { 1: [1] }), []);
});

test('an order of time that is only implied by others counts', () => {
  const history = [ran(0, 1, 'a1:1'), ran(2, 3, 'a2:1'), ran(4, 5, 'a3:1'), ran(6, 7, 'r1:')];
  assert.equal(names(history, { 1: [1], 2: [1], 3: [1] }), ['G-single-time']);
});

test('a history is written as Elle reads it', () => {
  assert.is(
    ednOf([ran(0, 2, 'a1:1 r2:3,4'), ran(1, 3, 'a1:2', 'info')]),
    [
      '{:index 0, :time 0, :type :invoke, :process 0, :f :txn, :value [[:append 1 1] [:r 2 nil]]}',
      '{:index 1, :time 1, :type :invoke, :process 1, :f :txn, :value [[:append 1 2]]}',
      '{:index 2, :time 2, :type :ok, :process 0, :f :txn, :value [[:append 1 1] [:r 2 [3 4]]]}',
      '{:index 3, :time 3, :type :info, :process 1, :f :txn, :value [[:append 1 2]]}',
      '',
    ].join('\n'),
  );
});

test('100,000 transactions are checked in linear time', () => {
  const history = Array.from({ length: 100_000 }, (_, n) => ran(2 * n, 2 * n + 7, `a${n % 50}:${n}`));
  const stored = Object.fromEntries(
    Array.from({ length: 50 }, (_, key) => [key, Array.from({ length: 2_000 }, (__, n) => n * 50 + key)]),
  );
  assert.equal(names(history, stored), []);
});
