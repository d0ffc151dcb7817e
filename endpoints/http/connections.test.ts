import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { type Kitchen, order, withBakery } from '../testing/bakery.js';
import {
  type Answered,
  openRaw,
  type RawConnection,
  post,
  rawPost,
  refusalIn,
} from '../testing/http-client.js';
import { withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { durationOf, until } from '../../runtime/testing/until.js';

const test = suite('connections');

const body = (customer: string): string => JSON.stringify({ ...order, customer });
const busyFor = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const answers = (received: string): readonly string[] => received.match(/HTTP\/1\.1 \d{3}/g) ?? [];

/** A kitchen in which every loaf waits until the test releases it. */
function oven() {
  const inside = new Map<string, { readonly signal: AbortSignal; done(): void }>();
  const waiting: { readonly customers: readonly string[]; resolve(): void }[] = [];
  const look = () => {
    for (const { customers, resolve } of waiting) if (customers.every((name) => inside.has(name))) resolve();
  };
  const bake: Kitchen['bake'] = ({ customer }, signal) =>
    new Promise((resolve) => {
      inside.set(customer, { signal, done: () => resolve({ for: customer }) });
      look();
    });
  return {
    bake,
    has: (...customers: string[]) =>
      new Promise<void>((resolve) => {
        waiting.push({ customers, resolve });
        look();
      }),
    finish: (customer: string) => inside.get(customer)?.done(),
    signalOf: (customer: string) => inside.get(customer)?.signal,
  };
}

test('one connection carries many requests, one after another', () =>
  withBakery({}, async ({ url, server }) => {
    let connections = 0;
    server.app.server.on('connection', () => connections++);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; n < 5; n++) assert.is((await post(url, order, { agent })).status, 200);
    agent.destroy();
    assert.is(connections, 1);
  }));

test('pipelined requests are answered in the order they were sent, whichever is ready first', () => {
  const { bake, has, finish } = oven();
  return withBakery({ bake }, async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(rawPost('/bread', body('first')) + rawPost('/bread', body('second')));
    await has('first', 'second');
    assert.is(server.active, 2);
    finish('second');
    finish('first');
    const received = await line.until(/"second"/);
    assert.ok(received.indexOf('"first"') < received.indexOf('"second"'));
  });
});

test('a client that disconnects aborts all its pipelined requests', () => {
  const { bake, has, signalOf } = oven();
  return withBakery({ bake }, async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(rawPost('/bread', body('first')) + rawPost('/bread', body('second')));
    await has('first', 'second');
    line.close();
    for (const name of ['first', 'second']) {
      const signal = signalOf(name);
      assert.ok(signal);
      await until(() => signal.aborted);
      assert.is((signal.reason as Problem).code, 'client-gone');
    }
    await server.drain();
    assert.is(server.active, 0);
  });
});

test('a client that disconnects in the middle of its next request aborts the one in flight', () => {
  const { bake, has, signalOf } = oven();
  return withBakery({ bake }, async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(`${rawPost('/bread', body('first'))}POST /br`);
    await has('first');
    line.close();
    const signal = signalOf('first');
    assert.ok(signal);
    await until(() => signal.aborted);
    assert.is((signal.reason as Problem).code, 'client-gone');
    await server.drain();
  });
});

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
  const { bake, has, finish } = oven();
  return withBakery({ bake }, async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(rawPost('/bread', body('first')) + rawPost('/bread', body('second')));
    await has('first', 'second');
    finish('first');
    await line.until(/"first"/);
    const drained = server.drain();
    finish('second');
    assert.match(await line.closed, /"second"/);
    await drained;
  });
});

test('pipelined requests in flight are all answered, and only the last answer has close', () => {
  const { bake, has, finish } = oven();
  return withBakery({ bake }, async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(rawPost('/bread', body('first')) + rawPost('/bread', body('second')));
    await has('first', 'second');
    const drained = server.drain();
    await until(() => !server.app.server.listening);
    finish('second');
    finish('first');
    const received = await line.closed;
    assert.equal(answers(received), ['HTTP/1.1 200', 'HTTP/1.1 200']);
    assert.ok(received.search(/connection: close/i) > received.indexOf('"first"'));
    await drained;
  });
});

test('a request that was being sent when draining began is still answered', () =>
  withBakery({}, async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(rawPost('/bread', body('Ada')));
    await line.until(/batch/);
    const drained = server.drain();
    await until(() => !server.app.server.listening);
    line.write(rawPost('/bread', body('Grace')));
    const received = await line.closed;
    assert.equal(answers(received), ['HTTP/1.1 200', 'HTTP/1.1 200']);
    assert.match(received, /connection: close/i);
    await drained;
  }));

test('a request whose body is still arriving when draining begins is answered', () =>
  withBakery({}, async ({ url, server }) => {
    const line = await openRaw(url);
    const bytes = rawPost('/bread', body('Ada'));
    const received = once(server.app.server, 'request');
    line.write(bytes.slice(0, -10));
    await received;
    const drained = server.drain();
    line.write(bytes.slice(-10));
    assert.match(await line.closed, /^HTTP\/1\.1 200 /);
    await drained;
  }));

/** A busy machine may need longer for it than a drain lasts. */
const withLongAnswer = (act: Parameters<typeof withBakery>[1]): Promise<void> =>
  withFakeTimeouts(() => withBakery({ bake: () => 'x'.repeat(20_000_000) }, act));

test('a long answer is sent completely before draining ends', () =>
  withLongAnswer(async ({ url, server }) => {
    const answer = post(url, order);
    await once(server.app.server, 'request');
    await server.drain();
    assert.is((await answer).text.length, 20_000_002);
  }));

test('an answer that is read slowly is sent completely, however often idle connections are closed', () =>
  withLongAnswer(async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(rawPost('/bread', JSON.stringify(order)));
    await once(server.app.server, 'request');
    line.socket.pause();
    const drained = server.drain();
    await delay(2_000);
    line.socket.resume();
    assert.ok((await line.closed).length > 20_000_000);
    await drained;
  }));

test('a request that arrives while the process is stalled is answered before idle connections are closed', () =>
  withBakery({}, async ({ url, server }) => {
    const used = await openRaw(url);
    used.write(rawPost('/bread', body('Ada')));
    await used.until(/batch/);
    const accepted = once(server.app.server, 'connection');
    const silent = await openRaw(url);
    await accepted;
    const drained = server.drain();
    for (const line of [used, silent]) line.write(rawPost('/bread', body('Grace')));
    busyFor(2_000);
    assert.equal(answers(await used.closed), ['HTTP/1.1 200', 'HTTP/1.1 200']);
    assert.equal(answers(await silent.closed), ['HTTP/1.1 200']);
    await drained;
  }));

test('requests that arrive while another is answered do not count as idle connections', () =>
  withBakery({}, async ({ url, server }) => {
    const used = await openRaw(url);
    used.write(rawPost('/bread', body('Ada')));
    await used.until(/batch/);
    const accepted = once(server.app.server, 'connection');
    const [other, silent] = [await openRaw(url), await openRaw(url)];
    await accepted;
    other.write(rawPost('/bread', body('Ada')));
    await other.until(/batch/);
    const drained = server.drain();
    await until(() => !server.app.server.listening);
    server.app.server.prependOnceListener('request', () => {
      for (const line of [other, silent]) line.write(rawPost('/bread', body('Grace')));
      busyFor(50);
    });
    used.write(rawPost('/bread', body('Grace')));
    // The timer that closes idle connections is due when the first request is read.
    busyFor(1_600);
    for (const line of [used, other]) assert.is(answers(await line.closed).length, 2);
    assert.is(answers(await silent.closed).length, 1);
    await drained;
  }));

test('connections that wait to be accepted when draining begins are accepted', () =>
  withBakery({}, async ({ url, server }) => {
    const line = connect(Number(new URL(url).port), '127.0.0.1');
    line.end(rawPost('/bread', body('Ada')));
    await new Promise(process.nextTick);
    // The system completes the connection meanwhile.
    busyFor(50);
    const drained = server.drain();
    assert.match(await text(line), /^HTTP\/1\.1 200 /);
    await drained;
  }));

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

test('silent connections do not delay draining', () =>
  withBakery({}, async ({ url, server }) => {
    const agent = new Agent({ keepAlive: true });
    await post(url, order, { agent });
    const silent = await openRaw(url);
    assert.ok((await durationOf(server.drain().then(() => silent.closed))) < 5_000);
  }));

test('draining an idle server ends at once', () =>
  withBakery({}, async ({ server }) => {
    assert.ok((await durationOf(server.drain())) < 1_000);
  }));

test('a draining server asks every client to close its connection, also on unknown routes', () =>
  withBakery({}, async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(rawPost('/bread', body('Ada')));
    await line.until(/batch/);
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
    line.write(rawPost('/bread', body('Ada')));
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
    const bytes = rawPost('/bread', body('Grace'));
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
