import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { nowText } from './now-text.js';

const test = suite('now');

test('it always returns the current time', () => {
  const until = Date.now() + 20;
  for (let before = Date.now(); before < until; before = Date.now()) {
    const text = nowText();
    const [returned, after] = [Date.parse(text), Date.now()];
    assert.ok(before <= returned && returned <= after, `${text} between ${before} and ${after}`);
    assert.is(text, new Date(returned).toISOString());
  }
});

test('it follows a clock that is set back', () => {
  const real = Date.now;
  try {
    Date.now = () => 2_000;
    nowText();
    Date.now = () => 1_000;
    assert.is(nowText(), '1970-01-01T00:00:01.000Z');
  } finally {
    Date.now = real;
  }
});
