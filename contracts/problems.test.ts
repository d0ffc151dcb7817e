import * as assert from 'uvu/assert';
import { Problem, problems } from './problems.js';
import { suite } from './testing/suite.js';

const test = suite('problems');

test('a known code has its status and title', () => {
  const problem = new Problem('stream-conflict');
  assert.is(problem.code, 'stream-conflict');
  assert.is(problem.status, 409);
  assert.is(problem.title, 'The stream has moved on');
  assert.is(problem.message, problem.title);
});

test('a code of the service has the status and title it is given', () => {
  const problem = new Problem('order-closed', { status: 409, title: 'The order is closed' });
  assert.is(problem.status, 409);
  assert.is(problem.message, 'The order is closed');
});

test('an unknown code without a status is a 500 with its code as title', () => {
  for (const code of ['order-lost', 'toString']) {
    const problem = new Problem(code);
    assert.equal([problem.status, problem.title], [500, code]);
  }
});

test('the detail of this case is the message', () => {
  const problem = new Problem('stream-conflict', { detail: 'Expected position 3, found 4.', status: 412 });
  assert.is(problem.message, 'Expected position 3, found 4.');
  assert.is(problem.detail, problem.message);
  assert.is(problem.status, 412);
});

test('a problem is an Error that keeps its cause, and has none unless given one', () => {
  const cause = new RangeError('out of connections');
  const problem = new Problem('store-unavailable', { cause });
  assert.instance(problem, Error);
  assert.is(problem.name, 'Problem');
  assert.is(problem.cause, cause);
  assert.not('cause' in new Problem('store-unavailable'));
});

test('faults, headers, extensions and the time to wait are kept in the problem', () => {
  const errors = [{ path: '/lineItems/0/quantity', message: 'must be at least 1' }];
  const init = { errors, headers: { allow: 'POST' }, extensions: { committed: true }, retryAfter: 2 };
  const { headers, extensions, retryAfter, ...problem } = new Problem('invalid-command', init);
  assert.equal({ errors: problem.errors, headers, extensions, retryAfter }, init);
});

test('every row has an error status and a title', () => {
  for (const [code, { status, title }] of Object.entries(problems)) {
    assert.ok(status >= 400 && status < 600, code);
    assert.ok(title.length > 0, code);
    assert.match(code, /^[a-z]+(?:-[a-z]+)*$/);
  }
});
