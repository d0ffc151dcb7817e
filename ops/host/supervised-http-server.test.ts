import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { Supervisor } from '../../actors/supervisor/supervisor.js';
import { suite } from '../../contracts/testing/suite.js';
import { createHttpServer, type HttpServer } from '../../endpoints/routes/http-server.js';
import { send } from '../../endpoints/testing/http-client.js';
import { supervisedHttpServer } from './supervised-http-server.js';

const test = suite('host http');

const never = () => Promise.reject(new RangeError('nothing is stored here'));
const store = { commit: never, append: never, read: never, readAll: never, lastPosition: never } as never;

/** A supervised server that answers hello, and all its servers so far. */
async function withHello(
  body: (url: string, servers: Server[], supervisor: Supervisor) => Promise<void>,
  startedAt = 0,
  port = 0,
) {
  const servers: Server[] = [];
  const create = (): HttpServer => {
    const ports = { gate: { claim: never }, store, deadlineMs: 1_000 };
    const routes = [(app: HttpServer['app']) => void app.get('/hello', () => 'hello')];
    const server = createHttpServer([], ports, { bodyLimit: 1_000, routes });
    servers.push(server.app.server);
    return server;
  };
  const supervisor = new Supervisor();
  const bind = '127.0.0.1';
  try {
    const { url } = await supervisor.start(supervisedHttpServer({ bind, port, startedAt }, create));
    await body(url, servers, supervisor);
  } finally {
    await supervisor.stop();
  }
}

const hello = async (url: string): Promise<string> =>
  (await send(url, { method: 'GET', path: '/hello' })).text;

test('a server that crashed listens again at the same address', () =>
  withHello(async (url, servers, supervisor) => {
    assert.is(await hello(url), 'hello');
    servers[0]?.emit('error', new RangeError('the loop is broken'));
    while (supervisor.tree[0]?.restarts !== 1 || supervisor.tree[0].state !== 'running') await delay(5);
    assert.is(await hello(url), 'hello');
    assert.is(servers.length, 2);
  }));

test('a port that nobody asked for and another process has taken is replaced, a configured one is not', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    await withHello(async (url) => {
      assert.is.not(new URL(url).port, String(port));
      assert.is(await hello(url), 'hello');
    }, port);
    const configured = withHello(() => Promise.resolve(), port, port);
    assert.match(String(await configured.catch((error: unknown) => error)), 'EADDRINUSE');
  } finally {
    other.close();
  }
});

test('a connection that could not be accepted harms no other', () =>
  withHello(async (url, servers, supervisor) => {
    servers[0]?.emit('error', Object.assign(new RangeError('too many files'), { syscall: 'accept' }));
    assert.is(await hello(url), 'hello');
    assert.equal([servers.length, supervisor.tree[0]?.restarts], [1, 0]);
  }));
