import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { order } from '../testing/bakery.js';
import { type Answered, openRaw, post, refusalIn, send } from '../testing/http-client.js';
import { type Routes, withOwnRoutes } from './testing/with-own-routes.js';

const test = suite('how requests of own routes end');

const get = (url: string, path: string): Promise<Answered> => send(url, { method: 'GET', path });

test('a route that never answers is answered at the deadline, and its late answer is dropped', () => {
  const late: (() => void)[] = [];
  let isAborted = false;
  const routes: Routes = (app) =>
    app.get('/slow', (request, reply) => {
      request.signal.addEventListener('abort', () => (isAborted = true));
      late.push(() => void reply.send('late'));
    });
  return withOwnRoutes(
    routes,
    async ({ url, server }) => {
      assert.is(refusalIn(await get(url, '/slow')), '504 deadline-exceeded');
      assert.is(isAborted, true);
      for (const answer of late) answer();
      assert.is((await post(url, order)).status, 200);
      await until(() => server.active === 0);
    },
    { deadlineMs: 50 },
  );
});

test('a route that answers twice, or fails after its answer has begun, harms no other request', () =>
  withOwnRoutes(
    (app) => {
      app.get('/twice', (_, reply) => {
        void reply.send('one');
        void reply.send('two');
      });
      app.get('/both', async (_, reply) => {
        void reply.send('one');
        return 'two';
      });
      app.get('/begun', async (_, reply) => {
        reply.raw.writeHead(200, { 'content-length': '100' });
        reply.raw.write('begun');
        throw new TypeError('too late');
      });
    },
    async ({ url, server }) => {
      assert.is((await get(url, '/twice')).text, 'one');
      assert.is((await get(url, '/both')).text, 'one');
      const failed = await get(url, '/begun').then(
        () => 'answered',
        () => 'cut off',
      );
      assert.is(failed, 'cut off');
      assert.is((await post(url, order)).status, 200);
      await until(() => server.active === 0);
    },
  ));

test('a drain waits for an own route, and its answer closes the connection', async () => {
  let answer: (() => void) | undefined;
  await withOwnRoutes(
    (app) => app.get('/slow', () => new Promise((resolve) => (answer = () => resolve({ done: true })))),
    async ({ url, server }) => {
      const line = await openRaw(url);
      line.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await until(() => answer !== undefined);
      assert.is(server.active, 1);
      const drained = server.drain();
      await until(() => !server.app.server.listening);
      answer?.();
      const received = await line.closed;
      assert.match(received, 'HTTP/1.1 200');
      assert.match(received, /connection: close/i);
      await drained;
    },
  );
});

test('a client that disconnects aborts the signal of its request', () => {
  let signal: AbortSignal | undefined;
  return withOwnRoutes(
    (app) =>
      app.get('/slow', (request) => {
        ({ signal } = request);
        return new Promise(() => undefined);
      }),
    async ({ url, server }) => {
      const line = await openRaw(url);
      line.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await until(() => signal !== undefined);
      line.close();
      await until(() => signal?.aborted === true);
      await until(() => server.active === 0);
    },
  );
});

test('a request behind another one on its connection ends with the connection', () => {
  let begun = 0;
  return withOwnRoutes(
    (app) => {
      app.get('/slow', () => {
        begun++;
        return new Promise(() => undefined);
      });
      app.get('/fast', () => {
        begun++;
        return 'fast';
      });
    },
    async ({ url, server }) => {
      const line = await openRaw(url);
      line.write(
        ['/slow', '/fast', '/slow'].map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''),
      );
      await until(() => begun === 3);
      line.close();
      await until(() => server.active === 0);
      await server.drain();
    },
  );
});
