import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { suite } from '../../contracts/testing/suite.js';
import { order } from '../testing/bakery.js';
import { openRaw, post } from '../testing/http-client.js';
import { until } from '../../runtime/kit/until.js';
import { answerTo, attach, handshake, isDone, withInspector } from '../testing/inspected-bakery.js';

const test = suite('connections of inspectors');

test('a connection that offers upgrades repeatedly stays one connection', async () => {
  await withInspector({}, async ({ url, server }) => {
    const accepted = once(server.app.server, 'connection');
    const line = await openRaw(url);
    const [socket] = (await accepted) as [Socket];
    const offer = 'GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    line.write(offer.repeat(30));
    await until(() => line.received().match(/HTTP\/1\.1 404/g)?.length === 30);
    assert.ok(socket.listenerCount('close') < 10, `${socket.listenerCount('close')} listeners`);
    line.close();
  });
});

test('of two hundred inspectors as many as allowed are attached, the others are refused, and requests are served', async () => {
  await withInspector({}, async ({ url, ws, inspector }) => {
    const clients = await Promise.all(Array.from({ length: 200 }, () => attach(ws)));
    assert.is(inspector.clients, 32);
    assert.is(await answerTo(ws), 503);
    assert.is((await post(url, order)).status, 200);
    const attached = clients.filter(({ socket }) => socket.readyState === WebSocket.OPEN);
    assert.is(attached.length, 32);
    await until(() => attached.every(({ frames }) => frames.some(isDone)));
    for (const { socket } of clients) socket.terminate();
    await until(() => inspector.clients === 0);
    assert.is(await answerTo(ws), 101);
  });
});

test('messages of a client are ignored; too many of them, or invalid data, disconnect that client only', async () => {
  await withInspector({}, async ({ url, ws, inspector }) => {
    const [good, talking, shouting] = [await attach(ws), await attach(ws), await attach(ws)];
    const garbage = await handshake(ws);
    assert.is(inspector.clients, 4);
    talking.socket.send('{"type":"@xstate.event"');
    shouting.socket.send('x'.repeat(4_097));
    garbage.write(randomBytes(10_000));
    assert.is(await shouting.closed, 1009);
    await until(() => inspector.clients === 2);
    await post(url, order);
    await until(() => [good, talking].every(({ frames }) => frames.some(isDone)));
  });
});

/** Or a slow machine would find it silent before it is at its limit. */
const withoutHeartbeat = { heartbeatMs: 3_600_000 };

test('a client that never reads is disconnected at its limit, and the others miss nothing', async () => {
  await withInspector(
    { ...withoutHeartbeat, bufferBytes: 262_144, requests: 16, traces: 8 },
    async (bakery) => {
      const { url, ws, inspector, inspection } = bakery;
      const [deaf, good] = [await handshake(ws), await attach(ws)];
      deaf.pause();
      assert.is(inspector.clients, 2);
      let sent = 0;
      for (; inspector.clients === 2 && sent < 20_000; sent += 20) {
        await Promise.all(Array.from({ length: 20 }, () => post(url, order)));
        // Two batches in flight would exceed the limit: the good client has read this one before the next is sent.
        await until(() => good.frames.filter(isDone).length >= sent + 20);
      }
      assert.is(inspector.clients, 1);
      assert.ok(inspection.feed.dropped > 0);
      await until(() => good.frames.filter(isDone).length === sent);
      deaf.destroy();
    },
  );
});

test('a client that sends pings and reads no pongs is disconnected at its limit', async () => {
  await withInspector({ ...withoutHeartbeat, bufferBytes: 262_144 }, async ({ ws, inspector }) => {
    const deaf = await handshake(ws);
    deaf.pause();
    const pings = Buffer.concat(Array.from({ length: 8_000 }, () => maskedPing));
    for (let sent = 0; inspector.clients === 1 && sent < 64; sent++) {
      deaf.write(pings);
      await delay(20);
    }
    await until(() => inspector.clients === 0);
    deaf.destroy();
  });
});

/** A frame of 125 bytes, masked with zeros. */
const maskedPing = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125, 'x')]);
