import { once } from 'node:events';
import { Agent } from 'node:http';
import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { type Kitchen, order, withBakery } from '../testing/bakery.js';
import { answersIn, breadFor, twoInOven, usedConnection } from '../testing/bread-orders.js';
import {
  type Answered,
  openRaw,
  type RawConnection,
  post,
  rawPost,
  refusalIn,
} from '../testing/http-client.js';
import { oven } from '../testing/oven.js';
import { durationOf, until } from '../../runtime/kit/until.js';

const test = suite('drain');

test('draining answers requests in flight, and asks their clients to close the connections', () => {
  const { bake, has, finish } = oven();
  return withBakery({ bake }, async ({ url, server }) => {
    const agent = new Agent({ keepAlive: true });
    const answer = post(url, { ...order, customer: 'Ada' }, { agent });
    await has('Ada');
    const drained = server.drain();
    await until(() => !server.app.server.listening);
    finish('Ada');
    const { status, headers } = await answer;
    assert.is(status, 200);
    assert.is(headers.connection, 'close');
    await drained;
  });
});

test('draining waits for the last of several pipelined requests', () => {
  const kitchen = oven();
  return withBakery(kitchen, async ({ url, server }) => {
    const line = await twoInOven(url, kitchen);
    kitchen.finish('first');
    await line.until(/"first"/);
    const drained = server.drain();
    kitchen.finish('second');
    assert.match(await line.closed, /"second"/);
    await drained;
  });
});

test('pipelined requests in flight are all answered, and only the last answer has close', () => {
  const kitchen = oven();
  return withBakery(kitchen, async ({ url, server }) => {
    const line = await twoInOven(url, kitchen);
    const drained = server.drain();
    await until(() => !server.app.server.listening);
    kitchen.finish('second');
    kitchen.finish('first');
    const received = await line.closed;
    assert.equal(answersIn(received), ['HTTP/1.1 200', 'HTTP/1.1 200']);
    assert.ok(received.search(/connection: close/i) > received.indexOf('"first"'));
    await drained;
  });
});

test('a draining server accepts no new connection', () => {
  const { bake, has, finish } = oven();
  return withBakery({ bake }, async ({ url, server }) => {
    const answer = post(url, { ...order, customer: 'Ada' });
    await has('Ada');
    const drained = server.drain();
    await until(() => !server.app.server.listening);
    const refused = await post(url, order).catch((error: NodeJS.ErrnoException) => error.code);
    assert.is(refused, 'ECONNREFUSED');
    finish('Ada');
    await Promise.all([answer, drained]);
  });
});

test('draining an idle server ends at once', () =>
  withBakery({}, async ({ server }) => {
    assert.ok((await durationOf(server.drain())) < 1_000);
  }));

test('a draining server asks every client to close its connection, also on unknown routes', () =>
  withBakery({}, async ({ url, server }) => {
    const line = await usedConnection(url);
    const drained = server.drain();
    await until(() => !server.app.server.listening);
    line.write(rawPost('/none', '{}'));
    assert.match(await line.closed, /404 Not Found\r\nconnection: close/i);
    await drained;
  }));

test('draining waits for an after-hook whose client has disconnected', async () => {
  const lines: RawConnection[] = [];
  let ended = false;
  let began = (): void => undefined;
  const running = new Promise<void>((resolve) => {
    began = resolve;
  });
  const after: Kitchen['after'] = async (_command, _result, { cancellationToken }) => {
    lines[0]?.close();
    await once(cancellationToken, 'abort');
    began();
    for (let n = 0; n < 20; n++) await new Promise(setImmediate);
    ended = true;
  };
  await withBakery({ after }, async ({ url, server }) => {
    const line = await openRaw(url);
    lines.push(line);
    line.write(breadFor('Ada'));
    await running;
    await server.drain();
    assert.is(ended, true);
  });
});

test('after 7 seconds of draining running requests are aborted, and new ones refused: 503 draining', () => {
  const { bake, has, signalOf } = oven();
  return withBakery({ bake, http: { headersTimeoutMs: 20_000 } }, async ({ url, server }) => {
    const answer: Promise<Answered> = post(url, { ...order, customer: 'Ada' });
    const late = await openRaw(url);
    const bytes = breadFor('Grace');
    late.write(bytes.slice(0, 10));
    await has('Ada');
    const started = performance.now();
    const drained = durationOf(server.drain());
    assert.is(refusalIn(await answer), '503 draining');
    assert.ok(performance.now() - started > 6_500);
    assert.is((signalOf('Ada')?.reason as Problem | undefined)?.code, 'draining');
    late.write(bytes.slice(10));
    assert.match(await late.closed, /^HTTP\/1\.1 503 .*urn:svc:problem:draining/s);
    assert.ok((await drained) < 10_000);
  });
});
