import { once } from 'node:events';
import { Agent, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { order, withBakery } from '../testing/bakery.js';
import { answersIn, breadFor, twoInOven, usedConnection } from '../testing/bread-orders.js';
import { openRaw, post } from '../testing/http-client.js';
import { oven } from '../testing/oven.js';
import { withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { durationOf, until } from '../../runtime/kit/until.js';

const test = suite('connections');

const busyFor = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

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
  const kitchen = oven();
  return withBakery(kitchen, async ({ url, server }) => {
    const line = await twoInOven(url, kitchen);
    assert.is(server.active, 2);
    kitchen.finish('second');
    kitchen.finish('first');
    const received = await line.until(/"second"/);
    assert.ok(received.indexOf('"first"') < received.indexOf('"second"'));
  });
});

test('a client that disconnects aborts all its pipelined requests', () => {
  const kitchen = oven();
  return withBakery(kitchen, async ({ url, server }) => {
    const line = await twoInOven(url, kitchen);
    line.close();
    for (const name of ['first', 'second']) {
      const signal = kitchen.signalOf(name);
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
    line.write(`${breadFor('first')}POST /br`);
    await has('first');
    line.close();
    const signal = signalOf('first');
    assert.ok(signal);
    await until(() => signal.aborted);
    assert.is((signal.reason as Problem).code, 'client-gone');
    await server.drain();
  });
});

test('a request that was being sent when draining began is still answered', () =>
  withBakery({}, async ({ url, server }) => {
    const line = await usedConnection(url);
    const drained = server.drain();
    await until(() => !server.app.server.listening);
    line.write(breadFor('Grace'));
    const received = await line.closed;
    assert.equal(answersIn(received), ['HTTP/1.1 200', 'HTTP/1.1 200']);
    assert.match(received, /connection: close/i);
    await drained;
  }));

test('a request whose body is still arriving when draining begins is answered', () =>
  withBakery({}, async ({ url, server }) => {
    const line = await openRaw(url);
    const bytes = breadFor('Ada');
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

/** Resolves when the server next closes its idle connections. */
const idleClosed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const close = server.closeIdleConnections.bind(server);
    server.closeIdleConnections = () => {
      server.closeIdleConnections = close;
      close();
      resolve();
    };
  });

test('an answer that is read slowly is sent completely, however often idle connections are closed', () =>
  withLongAnswer(async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(breadFor('Ada'));
    await once(server.app.server, 'request');
    line.socket.pause();
    const drained = server.drain();
    await idleClosed(server.app.server);
    line.socket.resume();
    assert.ok((await line.closed).length > 20_000_000);
    await drained;
  }));

test('a request that arrives while the process is stalled is answered before idle connections are closed', () =>
  withBakery({}, async ({ url, server }) => {
    const used = await usedConnection(url);
    const accepted = once(server.app.server, 'connection');
    const silent = await openRaw(url);
    await accepted;
    const drained = server.drain();
    for (const line of [used, silent]) line.write(breadFor('Grace'));
    busyFor(2_000);
    assert.equal(answersIn(await used.closed), ['HTTP/1.1 200', 'HTTP/1.1 200']);
    assert.equal(answersIn(await silent.closed), ['HTTP/1.1 200']);
    await drained;
  }));

test('requests that arrive while another is answered do not count as idle connections', () =>
  withBakery({}, async ({ url, server }) => {
    const used = await usedConnection(url);
    const accepted = once(server.app.server, 'connection');
    const [other, silent] = [await openRaw(url), await openRaw(url)];
    await accepted;
    other.write(breadFor('Ada'));
    await other.until(/batch/);
    const drained = server.drain();
    await until(() => !server.app.server.listening);
    server.app.server.prependOnceListener('request', () => {
      for (const line of [other, silent]) line.write(breadFor('Grace'));
      busyFor(50);
    });
    used.write(breadFor('Grace'));
    // The timer that closes idle connections is due when the first request is read.
    busyFor(1_600);
    for (const line of [used, other]) assert.is(answersIn(await line.closed).length, 2);
    assert.is(answersIn(await silent.closed).length, 1);
    await drained;
  }));

test('connections that wait to be accepted when draining begins are accepted', () =>
  withBakery({}, async ({ url, server }) => {
    const line = connect(Number(new URL(url).port), '127.0.0.1');
    line.end(breadFor('Ada'));
    await new Promise(process.nextTick);
    // The system completes the connection meanwhile.
    busyFor(50);
    const drained = server.drain();
    assert.match(await text(line), /^HTTP\/1\.1 200 /);
    await drained;
  }));

test('silent connections do not delay draining', () =>
  withBakery({}, async ({ url, server }) => {
    const agent = new Agent({ keepAlive: true });
    await post(url, order, { agent });
    const silent = await openRaw(url);
    assert.ok((await durationOf(server.drain().then(() => silent.closed))) < 5_000);
  }));

test('a host that gets little processor time keeps silent connections longer', () =>
  withBakery({ http: { idleGraceMs: 600 } }, async ({ url, server }) => {
    const open = await usedConnection(url);
    const drained = server.drain();
    const from = performance.now();
    while (performance.now() - from < 1_800) {
      busyFor(90);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    open.write(breadFor('Grace'));
    assert.equal(answersIn(await open.closed), ['HTTP/1.1 200', 'HTTP/1.1 200']);
    await drained;
  }));

test('a longer grace lets a silent connection send once more', () =>
  withBakery({}, (quick) =>
    withBakery({ http: { idleGraceMs: 60_000 } }, async ({ url, server }) => {
      const [closed, open] = [await usedConnection(quick.url), await usedConnection(url)];
      const drained = Promise.all([quick.server.drain(), server.drain()]);
      await closed.closed;
      open.write(breadFor('Grace'));
      assert.equal(answersIn(await open.closed), ['HTTP/1.1 200', 'HTTP/1.1 200']);
      await drained;
    }),
  ));
