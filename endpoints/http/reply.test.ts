import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem, type ProblemInit } from '../../contracts/problems.js';
import { correlationOf } from './correlation.js';
import { sendAnswer, sendProblem } from './reply.js';

const test = suite('reply');

const correlation = { ...correlationOf({}), correlationId: 'order-7' };

/** What goes over the wire when a route replies like this. */
async function sent(reply: (request: FastifyRequest, reply: FastifyReply) => void) {
  const app = fastify();
  app.get('/bread', reply);
  const { statusCode, headers, body } = await app.inject('/bread?a=1');
  return { statusCode, headers, body };
}

const refused = (error: unknown) =>
  sent((request, reply) => {
    sendProblem(request, reply, correlation, error);
  });

const codeOf = ({ statusCode, body }: { statusCode: number; body: string }): string =>
  `${statusCode} ${(JSON.parse(body) as { type: string }).type}`;

test('an answer is sent as the text it was made of', async () => {
  const text = '{ "spaced":  1 }';
  const { statusCode, headers, body } = await sent((_request, reply) => {
    sendAnswer(reply, correlation, { status: 200, body: text, replayed: false });
  });
  assert.equal([statusCode, body, headers['content-type']], [200, text, 'application/json; charset=utf-8']);
  assert.is(headers['idempotency-replayed'], undefined);
  assert.is(headers['x-correlation-id'], 'order-7');
  assert.is(headers['traceparent'], correlation.traceparent);
});

test('an answer without a body has no content type', async () => {
  const { statusCode, headers, body } = await sent((_request, reply) => {
    sendAnswer(reply, correlation, { status: 204, body: null, replayed: false });
  });
  assert.equal([statusCode, body, headers['content-type']], [204, '', undefined]);
});

test('a repeated refusal is a problem, and says that it is repeated', async () => {
  const { headers } = await sent((_request, reply) => {
    sendAnswer(reply, correlation, { status: 404, body: '{}', replayed: true });
  });
  assert.is(headers['content-type'], 'application/problem+json; charset=utf-8');
  assert.is(headers['idempotency-replayed'], 'true');
});

test('a problem tells what, where and under which id', async () => {
  const { statusCode, headers, body } = await refused(new Problem('not-found', { detail: 'No bread.' }));
  assert.is(statusCode, 404);
  assert.is(headers['x-correlation-id'], 'order-7');
  assert.equal(JSON.parse(body), {
    type: 'urn:svc:problem:not-found',
    title: 'There is nothing here',
    status: 404,
    detail: 'No bread.',
    instance: '/bread?a=1',
    correlationId: 'order-7',
  });
});

test('a 503 says when to come back, a 404 does not', async () => {
  assert.is((await refused(new Problem('overloaded'))).headers['retry-after'], '1');
  assert.is((await refused(new Problem('overloaded', { retryAfter: 9 }))).headers['retry-after'], '9');
  assert.is((await refused(new Problem('not-found'))).headers['retry-after'], undefined);
});

const circle: Record<string, unknown> = {};
circle['self'] = circle;

for (const [what, init] of Object.entries<ProblemInit>({
  'an extension that has no JSON': { extensions: { loaves: 1n } },
  'an extension that contains itself': { extensions: circle },
  'a header with a line break': { headers: { 'x-note': 'one\r\nset-cookie: two' } },
  'a header that is no name': { headers: { 'x note': 'one' } },
})) {
  test(`a problem with ${what} becomes 500 unexpected instead of silence`, async () => {
    const answer = await refused(new Problem('odd', { status: 400, ...init }));
    assert.is(codeOf(answer), '500 urn:svc:problem:unexpected');
    assert.is(answer.headers['set-cookie'], undefined);
  });
}

test.run();
