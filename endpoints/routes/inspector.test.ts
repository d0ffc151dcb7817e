import { createWebSocketReceiver } from '@statelyai/inspect';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { array, assert as check, asyncProperty, integer, record, string } from 'fast-check';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { Problem } from '../../contracts/problems.js';
import { seeds } from '../../contracts/testing/seeds.js';
import { suite } from '../../contracts/testing/suite.js';
import { Inspection, type InspectionOptions } from '../inspection/inspection.js';
import { type Bakery, type Kitchen, order, withBakery } from '../testing/bakery.js';
import { openRaw, post } from '../testing/http-client.js';
import { Tokens } from '../access/tokens.js';
import { Inspector, type InspectorOptions } from './inspector.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('inspector');

interface Inspected extends Bakery {
  readonly inspection: Inspection;
  readonly inspector: Inspector;
  readonly ws: string;
}

type Setup = Kitchen & Partial<InspectionOptions> & InspectorOptions;

async function withInspector(setup: Setup, body: (bakery: Inspected) => Promise<void>): Promise<void> {
  const inspection = new Inspection({ host: 'oven-1', tracesPerSecond: 100_000, ...setup });
  const inspector = new Inspector(inspection.feed, setup);
  await withBakery({ ...setup, inspection, http: { routes: [inspector.route] } }, async (bakery) => {
    const ws = `${bakery.url.replace('http', 'ws')}/inspect`;
    try {
      await body({ ...bakery, inspection, inspector, ws });
    } finally {
      inspector.stop();
    }
  });
}

interface Frame {
  readonly type: string;
  readonly rootId: string;
  readonly sessionId: string;
  readonly definition?: string;
  readonly snapshot?: { readonly value?: string; readonly status: string };
}

/** A client that collects what the socket sends. */
async function attach(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, { headers });
  const frames: Frame[] = [];
  socket.on('message', (data: Buffer) => void frames.push(JSON.parse(data.toString()) as Frame));
  socket.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => void socket.once('close', resolve));
  const open = new Promise<void>((resolve) => void socket.once('open', resolve));
  await Promise.race([open, closed]);
  return { socket, frames, closed };
}

/** The HTTP status of a handshake. */
const answerTo = (url: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { headers });
    socket.on('error', () => undefined);
    socket.once('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.once('open', () => {
      resolve(101);
      socket.terminate();
    });
  });

const statesOf = (frames: readonly Frame[], rootId: string): unknown[] =>
  frames
    .filter(({ type, sessionId }) => type === '@xstate.snapshot' && sessionId === rootId)
    .map(({ snapshot }) => snapshot?.value);

const isDone = ({ rootId, sessionId, snapshot }: Frame): boolean =>
  rootId === sessionId && snapshot?.status === 'done';

test("Stately's own receiver sees the states of a request, replayed and live, and no secret", async () => {
  const failing: Kitchen = {
    bake: ({ customer }) => {
      throw new Problem('burnt', { detail: customer });
    },
    recover: () => null,
  };
  await withInspector(failing, async ({ url, ws, inspection }) => {
    inspection.feed.attach(() => undefined);
    const secret = { ...order, customer: 'open-sesame' };
    await post(url, secret);
    const frames: Frame[] = [];
    createWebSocketReceiver({ server: ws }).subscribe((frame) => void frames.push(frame as unknown as Frame));
    await until(() => frames.filter(isDone).length === 1);
    await post(url, secret);
    await until(() => frames.filter(isDone).length === 2);
    const roots = [...new Set(frames.map(({ rootId }) => rootId))];
    assert.is(roots.length, 2);
    for (const root of roots) {
      assert.ok(root.startsWith('oven-1/'));
      const path = ['checking', 'before', 'dispatching', 'recovering', 'failed'];
      assert.equal(statesOf(frames, root), path);
    }
    const definition = frames.find(({ type }) => type === '@xstate.actor')?.definition ?? '';
    assert.is((JSON.parse(definition) as { id: string }).id, 'lifecycle');
    assert.not.match(JSON.stringify(frames), 'open-sesame');
  });
});

test('whatever a command contains, none of its values is in any frame', async () => {
  await withInspector({}, async ({ url, ws }) => {
    const { frames, socket } = await attach(ws);
    const value = string({ minLength: 1, maxLength: 40 }).map((text) => `§${text}`);
    const body = record({
      customer: value,
      loaves: integer({ min: 1_000_000_000, max: 2_000_000_000 }),
      toppings: array(value, { maxLength: 4 }),
      note: value,
    });
    await check(
      asyncProperty(body, async (sent) => {
        const before = frames.filter(isDone).length;
        assert.is((await post(url, sent)).status, 200);
        await until(() => frames.filter(isDone).length > before);
        const values = valuesIn(frames.splice(0));
        for (const secret of [sent.customer, ...sent.toppings, sent.note, String(sent.loaves)]) {
          assert.not.ok(
            values.some((text) => text.includes(secret)),
            secret,
          );
        }
      }),
      { numRuns: seeds(10, 40) },
    );
    socket.terminate();
  });
});

/** Every text and number in it, at any depth. */
function valuesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => [name, ...valuesIn(inner)]);
  }
  return [String(value)];
}

test('without an inspector nothing is recorded', async () => {
  await withInspector({}, async ({ url, ws, inspection, inspector }) => {
    await post(url, order);
    const recorded = () => inspection.feed.replay(Infinity).length;
    assert.is(recorded(), 0);
    const { socket, closed } = await attach(ws);
    await post(url, order);
    const ofOne = recorded();
    assert.ok(ofOne > 0);
    socket.close();
    await closed;
    await until(() => inspector.clients === 0);
    await post(url, order);
    assert.is(recorded(), ofOne);
  });
});

test('?host= must name an existing host', () =>
  withInspector({}, async ({ ws }) => {
    assert.is(await answerTo(`${ws}?host=oven-1`), 101);
    assert.is(await answerTo(`${ws}?host=nobody`), 404);
  }));

test('a page of another site, a foreign host name and a forwarded request are refused', async () => {
  await withInspector({}, async ({ ws }) => {
    assert.is(await answerTo(ws), 101);
    assert.is(await answerTo(ws, { origin: 'https://evil.example' }), 403);
    assert.is(await answerTo(ws, { origin: 'http://localhost:5173' }), 403);
    assert.is(await answerTo(ws, { origin: ws.replace('ws:', 'http:').replace('/inspect', '') }), 101);
    assert.is(await answerTo(ws, { host: 'evil.example' }), 421);
    assert.is(await answerTo(ws, { 'x-forwarded-for': '10.0.0.7' }), 403);
  });
});

test('a configured token is always required, in the URL or in a header', async () => {
  const access = { tokens: new Tokens({ inspect: 'let-me-look' }), localOnly: true };
  await withInspector({ access }, async ({ ws }) => {
    for (const headers of [{}, { 'x-forwarded-for': '10.0.0.7' }]) {
      assert.is(await answerTo(ws, headers), 401);
      assert.is(await answerTo(`${ws}?t=wrong`, headers), 401);
      assert.is(await answerTo(`${ws}?t=let-me-look`, headers), 101);
      assert.is(await answerTo(ws, { ...headers, authorization: 'Bearer let-me-look' }), 101);
    }
  });
});

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

test('when the host stops all inspectors are disconnected, and no new one is accepted', async () => {
  await withInspector({}, async ({ ws, inspector }) => {
    const { closed } = await attach(ws);
    inspector.stop();
    assert.is(await closed, 1001);
    assert.is(await answerTo(ws), 503);
  });
});

/** A WebSocket as a raw connection. */
async function handshake(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const key = randomBytes(16).toString('base64');
  socket.on('error', () => undefined);
  socket.write(
    `GET /inspect HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
}
