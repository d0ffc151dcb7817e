import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { figure, tableLines } from './table.js';

const test = suite('bench table');

test('names are aligned left, figures right', () => {
  assert.equal(
    tableLines(
      ['variant', 'rate'],
      [
        ['ours', '1 234'],
        ['plain Fastify', '7'],
      ],
    ),
    ['variant         rate', '-------------  -----', 'ours           1 234', 'plain Fastify      7'],
  );
});

test('a row may be shorter than the head', () => {
  assert.is(tableLines(['variant', 'rate'], [['ours']]).at(-1), 'ours');
});

test('a figure has three significant digits', () => {
  assert.equal([0.756, 4.5, 12.34, 31.26, 999.6, 38_400.4, 1_234_567].map(figure), [
    '0.76',
    '4.50',
    '12.3',
    '31.3',
    '1 000',
    '38 400',
    '1 234 567',
  ]);
});

test('an unmeasured value has no figure', () => {
  assert.is(figure(Number.NaN), '–');
});
