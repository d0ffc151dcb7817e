import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { humanLine } from './human-log.js';

const test = suite('human log');

const line = (facts: object) =>
  humanLine(JSON.stringify({ level: 'info', time: '2026-11-15T02:53:16.009Z', ...facts }));

test('a line has the time, the message and the fields', () => {
  assert.is(
    line({ url: 'http://127.0.0.1:3000', n: 2, msg: 'listening' }),
    '02:53:16  listening  url http://127.0.0.1:3000  n 2\n',
  );
});

test('warnings and errors are marked, and the stack follows', () => {
  assert.is(
    line({ level: 'error', msg: 'failed', err: { stack: 'Error: x\n  at y' } }),
    '02:53:16  ✗ failed\nError: x\n  at y\n',
  );
});

test('text from outside neither controls the terminal nor starts a new line', () => {
  assert.is(
    line({ url: '/\u001b]0;x', note: 'a\n00:00:00  all is well', msg: 'b\u009b2J' }),
    String.raw`02:53:16  b\u009b2J  url /\u001b]0;x  note a\u000a00:00:00  all is well` + '\n',
  );
  const trace = line({ msg: 'failed', err: { stack: 'Error: \u001b[31m\n  at y' } });
  assert.is(trace, String.raw`02:53:16  failed` + '\n' + String.raw`Error: \u001b[31m` + '\n  at y\n');
});
