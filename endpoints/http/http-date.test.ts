import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { httpDate } from './http-date.js';

const test = suite('http date');

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 600);

test('the date of an answer is that of its second, also after the clock was set back', () => {
  assert.is(httpDate(at), 'Fri, 02 Jan 2026 03:04:05 GMT');
  assert.is(httpDate(at + 399), 'Fri, 02 Jan 2026 03:04:05 GMT');
  assert.is(httpDate(at + 400), 'Fri, 02 Jan 2026 03:04:06 GMT');
  assert.is(httpDate(at - 1_000), 'Fri, 02 Jan 2026 03:04:04 GMT');
});
