import * as assert from 'uvu/assert';
import { Problem } from '../contracts/problems.js';
import { suite } from '../contracts/testing/suite.js';
import { Secrets } from '../runtime/logging/secrets.js';
import { hideInLog, loggedProblem } from './problem.js';

const test = suite('logged problems');

test('the log has the cause of a problem', () => {
  const cause = new TypeError('no flour');
  assert.equal(loggedProblem(new Problem('unexpected', { cause })), {
    err: cause,
    message: 'Something went wrong',
  });
});

const cause = new TypeError('No card 4111', { cause: new TypeError('4111') });
const lost = () => new Problem('card-lost', { status: 500, title: 'A card is lost', detail: '4111', cause });

test('a problem is logged without the values that it must not show, with its title and its stack', () => {
  const problem = lost();
  hideInLog(problem, new Secrets().add('4111', '[redacted]'));
  const { err, message } = loggedProblem(problem);
  assert.is(message, 'A card is lost');
  assert.ok(err instanceof Problem && err.cause === undefined);
  assert.not.match(`${err.stack} ${JSON.stringify(err)} ${err.message}`, '4111');
  assert.match(err.stack ?? '', /^TypeError: No card \[redacted\]\n +at .*logged-problem\.test\.\w+:\d+:\d+/);
});

test('a problem whose values are not at hand is logged without its texts, with its title and its stack', () => {
  const problem = lost();
  hideInLog(problem);
  const { err, message } = loggedProblem(problem);
  assert.is(message, 'A card is lost');
  assert.ok(err instanceof Problem && err.cause === undefined);
  assert.not.match(`${err.stack} ${JSON.stringify(err)} ${err.message}`, '4111');
  assert.match(
    err.stack ?? '',
    /^TypeError: \[redacted\] \(12 characters\) at logged-problem\.test\.\w+:\d+:\d+\n +at /,
  );
});
