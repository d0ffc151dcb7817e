import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { thrownBy } from '../runtime/testing/thrown-by.js';
import { Event } from '../contracts/message.js';
import { Problem } from '../contracts/problems.js';
import { Upcasters } from '../contracts/upcaster.js';
import { problemBody, problemHeaders, problemOf, problemOfEnd } from './problem.js';

const test = suite('problem+json');

const afterHookFailed = (error: unknown): Problem =>
  problemOfEnd({ outcome: 'failed', error, in: 'after' }, { secrets: undefined });

const bodyOf = (problem: Problem) =>
  JSON.parse(problemBody(problem, '/orders', 'c-1')) as Record<string, unknown>;

test('a problem becomes the members of RFC 9457, with the correlation id', () => {
  const problem = new Problem('stream-conflict', { detail: 'Expected 3.' });
  assert.equal(bodyOf(problem), {
    type: 'urn:svc:problem:stream-conflict',
    title: 'The stream has moved on',
    status: 409,
    detail: 'Expected 3.',
    instance: '/orders',
    correlationId: 'c-1',
  });
});

test("a handler's own problem keeps its code, status and title", () => {
  const problem = problemOf(new Problem('order-closed', { status: 409, title: 'The order is closed' }));
  assert.is(problem.status, 409);
  assert.is(bodyOf(problem)['title'], 'The order is closed');
});

test('any other thrown value reveals nothing to a client', () => {
  for (const thrown of [new TypeError('secret of the database'), 'secret', undefined, { secret: true }]) {
    const problem = problemOf(thrown);
    assert.is(problem.code, 'unexpected');
    assert.is(problem.status, 500);
    assert.not.match(problemBody(problem, '/', 'c'), /secret/);
    assert.is(problem.cause, thrown);
  }
});

for (const code of ['invalid-setup', 'unit-closed', 'waits-for-itself', 'invalid-event', 'reserved-stream']) {
  test(`${code} reveals internals, so a client sees only that something went wrong`, () => {
    const problem = problemOf(new Problem(code, { detail: 'secret' }));
    assert.is(problem.code, 'unexpected');
    assert.not.match(problemBody(problem, '/', 'c'), /secret/);
  });
}

class LoafBaked extends Event {
  static readonly version = 2;
}

test('a caller learns which stored event cannot be read, because only its type and versions are named', async () => {
  const registry = new Upcasters();
  registry.registerVersions([LoafBaked]);
  const stored = { messageType: 'LoafBaked', v: 1, payload: { recipe: 'secret' } };
  const problem = problemOf(await thrownBy(() => registry.apply(stored)));
  const { type, status, detail } = bodyOf(problem);
  assert.is(type, 'urn:svc:problem:missing-upcaster');
  assert.is(status, 500);
  assert.match(
    String(detail),
    /^LoafBaked is stored in version 1, and no upcaster leads from version 1 to 2;/,
  );
  assert.not.match(problemBody(problem, '/', 'c'), /secret/);
});

test('an invalid status is answered as unexpected', () => {
  assert.is(problemOf(new Problem('teapot', { status: 42 })).status, 500);
});

test('all faults of a command are listed', () => {
  const errors = [{ path: '/a', message: 'is required' }];
  assert.equal(bodyOf(new Problem('invalid-command', { errors }))['errors'], errors);
});

test('after a failed after-hook the client learns that the command was carried out', () => {
  const body = bodyOf(afterHookFailed(new Error('mail server is down')));
  assert.is(body['status'], 500);
  assert.is(body['committed'], true);
  assert.not.match(JSON.stringify(body), /mail/);
  assert.not('cause' in body);
});

test('the code of a problem that an after-hook throws is the cause, unless it is internal', () => {
  const causeOf = (code: string) => bodyOf(afterHookFailed(new Problem(code, { detail: 'secret' })))['cause'];
  assert.is(causeOf('mail-refused'), 'mail-refused');
  assert.is(causeOf('invalid-setup'), undefined);
});

test('extensions cannot replace the members of the standard', () => {
  assert.is(bodyOf(new Problem('not-found', { extensions: { status: 200 } }))['status'], 404);
});

test('429 and 503 have a retry time', () => {
  assert.is(problemHeaders(new Problem('overloaded'))['retry-after'], '1');
  assert.is(problemHeaders(new Problem('rate-limited', { retryAfter: 7 }))['retry-after'], '7');
  assert.is(problemHeaders(new Problem('not-found'))['retry-after'], undefined);
});
