import { GraphQLError } from 'graphql';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { fieldError, requestError } from './errors.js';

const test = suite('GraphQL errors');

const thrown = (originalError: Error) =>
  new GraphQLError(originalError.message, { originalError, path: ['sendParcel'] });

test("a problem's detail is the message, its code and status are extensions", () => {
  const problem = new Problem('parcel-lost', { status: 404, title: 'Lost', detail: 'Parcel 7 is lost.' });
  assert.equal(JSON.parse(fieldError(thrown(problem), 'c1').text), {
    message: 'Parcel 7 is lost.',
    path: ['sendParcel'],
    extensions: { code: 'parcel-lost', status: 404, correlationId: 'c1' },
  });
});

test('without a detail the title is the message', () => {
  const { text } = fieldError(thrown(new Problem('parcel-lost', { status: 404, title: 'Lost' })), 'c1');
  assert.is((JSON.parse(text) as Error).message, 'Lost');
});

test('further members of a problem are kept, but do not replace ours', () => {
  const extensions = { committed: true, code: 'mine', correlationId: 'mine' };
  const { text } = fieldError(thrown(new Problem('after-hook-failed', { extensions })), 'c1');
  assert.match(
    text,
    '"extensions":{"committed":true,"code":"after-hook-failed","correlationId":"c1","status":500}',
  );
});

test('any other error is unexpected: its message goes to the log', () => {
  const cause = new TypeError('secret of the database');
  const { text, problem } = fieldError(thrown(cause), 'c1');
  assert.not.match(text, 'secret');
  assert.is(problem.code, 'unexpected');
  assert.is(problem.cause, cause);
});

test('a result that does not fit goes to the log without its value', () => {
  const cause = new GraphQLError('String cannot represent value: { card: "sesame" }');
  const { text, problem } = fieldError(thrown(cause), 'c1');
  assert.match(text, '"code":"unexpected"');
  assert.is((problem.cause as Error).message, 'String cannot represent value.');
});

test('a problem without JSON is unexpected', () => {
  const { text, problem } = fieldError(
    thrown(new Problem('odd', { status: 400, extensions: { n: 1n } })),
    'c1',
  );
  assert.match(text, '"code":"unexpected"');
  assert.ok(problem.cause instanceof TypeError);
});

test("an invalid request is described in GraphQL's own words", () => {
  const { text } = requestError(new GraphQLError('Syntax Error: Unexpected "}".'), 'c1');
  assert.equal(JSON.parse(text), {
    message: 'Syntax Error: Unexpected "}".',
    extensions: { code: 'invalid-query', status: 400, correlationId: 'c1' },
  });
});
