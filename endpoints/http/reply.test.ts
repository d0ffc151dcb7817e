import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import * as assert from 'uvu/assert';
import { Problem, type ProblemInit } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { type Kitchen, order, withBakery } from '../testing/bakery.js';
import { openRaw, rawPost } from '../testing/http-client.js';
import { correlationOf } from './correlation.js';
import { sendAnswer, sendProblem } from './reply.js';

const test = suite('reply');

const correlation = { ...correlationOf({ headers: {} }), correlationId: 'order-7' };

/** The bytes that a route's reply sends. */
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

test('an answer is sent as its text', async () => {
  const text = '{ "spaced":  1 }';
  const { statusCode, headers, body } = await sent((_request, reply) => {
    sendAnswer(reply, correlation, { status: 200, body: text, replayed: false });
  });
  assert.equal([statusCode, body, headers['content-type']], [200, text, 'application/json; charset=utf-8']);
  assert.is(headers['idempotency-replayed'], undefined);
  assert.is(headers['x-correlation-id'], 'order-7');
  assert.is(headers['traceparent'], correlation.traceparent);
});

test('the headers and the body of an answer are written to the socket at once', () =>
  withBakery({ bake: ({ customer }) => customer }, async ({ url, server }) => {
    const writes: string[] = [];
    server.app.server.on('connection', (socket: Socket) => {
      const { _write: write, _writev: writev } = socket;
      Object.assign(socket, {
        _write: (chunk: string, encoding: BufferEncoding, done: () => void) => {
          writes.push(Buffer.from(chunk, encoding).toString('latin1'));
          write.call(socket, chunk, encoding, done);
        },
        _writev: (chunks: Parameters<NonNullable<typeof writev>>[0], done: () => void) => {
          writes.push(`${chunks.length} pieces`);
          writev?.call(socket, chunks, done);
        },
      });
    });
    const line = await openRaw(url);
    let received = '';
    for (const customer of ['Ada', 'Zoë', 'Eve']) {
      line.write(rawPost('/bread', JSON.stringify({ ...order, customer })));
      received = await line.until(new RegExp(`"${latin1(customer)}"$`));
    }
    assert.is(writes.length, 3);
    assert.is(writes.join(''), received);
    line.close();
  }));

test('pipelined answers arrive in order and complete, also at a client that reads late', () => {
  const results = ['slow', 'Ada', 'Zoë', undefined, 'x'.repeat(1_000_000), '🍞'.repeat(300_000), '', 'Eve'];
  const bake: Kitchen['bake'] = ({ loaves }) => {
    const result = results[loaves - 1];
    return result === 'slow' ? delay(50, result) : result;
  };
  return withBakery({ bake }, async ({ url }) => {
    const line = await openRaw(url);
    line.socket.pause();
    const asked = results.map((_, n) => rawPost('/bread', JSON.stringify({ ...order, loaves: n + 1 })));
    line.write(asked.join(''));
    await delay(200);
    line.socket.resume();
    const answers = bodiesIn(await line.until(/"Eve"$/));
    const expected = results.map((result) => latin1(JSON.stringify(result) ?? ''));
    assert.is(answers.length, expected.length);
    for (const [n, text] of expected.entries()) assert.ok(answers[n] === text, `answer ${n + 1}`);
    line.close();
  });
});

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** The bodies of the answers received on one connection, as long as their headers declare. */
function bodiesIn(received: string): readonly string[] {
  const bodies: string[] = [];
  for (let at = 0; at < received.length;) {
    const from = received.indexOf('\r\n\r\n', at) + 4;
    const length = /content-length: (\d+)/.exec(received.slice(at, from))?.[1] ?? '0';
    at = from + Number(length);
    bodies.push(received.slice(from, at));
  }
  return bodies;
}

test('an answer without a body has no content type', async () => {
  const { statusCode, headers, body } = await sent((_request, reply) => {
    sendAnswer(reply, correlation, { status: 204, body: null, replayed: false });
  });
  assert.equal([statusCode, body, headers['content-type']], [204, '', undefined]);
});

test('a repeated refusal is a problem, marked as repeated', async () => {
  const { headers } = await sent((_request, reply) => {
    sendAnswer(reply, correlation, { status: 404, body: '{}', replayed: true });
  });
  assert.is(headers['content-type'], 'application/problem+json; charset=utf-8');
  assert.is(headers['idempotency-replayed'], 'true');
});

test('a problem has its code, its instance and its correlation id', async () => {
  const { statusCode, headers, body } = await refused(new Problem('not-found', { detail: 'No bread.' }));
  assert.is(statusCode, 404);
  assert.is(headers['x-correlation-id'], 'order-7');
  assert.equal(JSON.parse(body), {
    type: 'urn:svc:problem:not-found',
    title: 'Not found',
    status: 404,
    detail: 'No bread.',
    instance: '/bread?a=1',
    correlationId: 'order-7',
  });
});

test('a 503 has Retry-After, a 404 does not', async () => {
  assert.is((await refused(new Problem('overloaded'))).headers['retry-after'], '1');
  assert.is((await refused(new Problem('overloaded', { retryAfter: 9 }))).headers['retry-after'], '9');
  assert.is((await refused(new Problem('not-found'))).headers['retry-after'], undefined);
});

const circle: Record<string, unknown> = {};
circle['self'] = circle;

for (const [what, init] of Object.entries<ProblemInit>({
  'an extension without JSON': { extensions: { loaves: 1n } },
  'an extension that contains itself': { extensions: circle },
  'a header with a line break': { headers: { 'x-note': 'one\r\nset-cookie: two' } },
  'a header with an invalid name': { headers: { 'x note': 'one' } },
})) {
  test(`a problem with ${what} becomes 500 unexpected instead of no answer`, async () => {
    const answer = await refused(new Problem('odd', { status: 400, ...init }));
    assert.is(codeOf(answer), '500 urn:svc:problem:unexpected');
    assert.is(answer.headers['set-cookie'], undefined);
  });
}
