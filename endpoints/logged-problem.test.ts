import * as assert from 'uvu/assert';
import { Problem } from '../contracts/problems.js';
import { suite } from '../contracts/testing/suite.js';
import { hideInLog, loggedProblem } from './logged-problem.js';

const test = suite('logged problems');

test('the log has the cause of a problem', () => {
  const cause = new TypeError('no flour');
  assert.equal(loggedProblem(new Problem('unexpected', { cause })), {
    err: cause,
    message: 'Something went wrong',
  });
});

test('a hidden problem is logged without any of its texts, with its code and its stack', () => {
  const cause = new TypeError('No card 4111', { cause: new TypeError('4111') });
  const problem = new Problem('card-lost', { status: 500, title: 'Lost 4111', detail: '4111', cause });
  hideInLog(problem);
  const { err, message } = loggedProblem(problem);
  assert.is(message, 'card-lost');
  assert.ok(err instanceof Problem && err.cause === undefined);
  assert.not.match(`${err.stack} ${JSON.stringify(err)} ${err.message}`, '4111');
  assert.match(
    err.stack ?? '',
    /^TypeError: \[redacted\] \(12 characters\) at logged-problem\.test\.\w+:\d+:\d+\n +at /,
  );
});
