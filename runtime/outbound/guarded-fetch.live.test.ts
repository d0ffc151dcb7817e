import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { durationOf } from '../kit/until.js';
import { startDnsServer } from '../testing/dns-server.js';
import { type HttpsServer, startHttpsServer } from '../testing/https-server.js';
import { guardedFetch, type GuardedFetchOptions } from './guarded-fetch.js';

const test = suite('guarded fetch');

/** A server of a user, and what may be called there. */
async function withServer(
  answer: RequestListener,
  body: (server: HttpsServer, options: GuardedFetchOptions) => Promise<void>,
): Promise<void> {
  const server = await startHttpsServer(answer);
  const { port, authority } = server;
  try {
    await body(server, {
      allowedAddresses: ['127.0.0.1'],
      allowedPorts: [port],
      authorities: [authority],
      lookup: (_, __, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
    });
  } finally {
    await server.close();
  }
}

const codeOf = async (answer: Promise<unknown>): Promise<string | undefined> => {
  const error = await answer.catch((thrown: unknown) => thrown);
  return error instanceof Problem ? error.code : undefined;
};

test('a call sends its headers and body, and returns the status and Retry-After in seconds', () => {
  const seen: unknown[] = [];
  return withServer(
    (request, response) => {
      const { authorization, cookie, 'user-agent': agent } = request.headers;
      request.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
      seen.push([request.method, request.url, authorization, cookie, agent]);
      response.writeHead(429, { 'retry-after': '30', 'set-cookie': 'a=1' }).end('later');
    },
    async ({ url }, options) => {
      const call = guardedFetch(options);
      const request = { body: 'hello', headers: { authorization: 'mine' } };
      for (let times = 0; times < 2; times++)
        assert.equal(await call(`${url}hooks`, request), { status: 429, retryAfter: 30 });
      const expected = [['POST', '/hooks', 'mine', undefined, 'svc-runtime'], 'hello'];
      assert.equal(seen, [...expected, ...expected]);
    },
  );
});

test('a name with one private address is refused, and what was checked is what is connected to', async () => {
  const dns = await startDnsServer(['127.0.0.1']);
  let calls = 0;
  try {
    await withServer(
      (_, response) => {
        calls++;
        response.end();
      },
      async ({ port, authority }, options) => {
        const { lookup } = dns;
        const url = `https://hooks.example:${port}/`;
        const guarded = guardedFetch({ allowedPorts: [port], authorities: [authority], lookup });
        assert.is(await codeOf(guarded(url)), 'address-refused');
        dns.addresses = ['8.8.8.8', '127.0.0.1'];
        assert.is(await codeOf(guarded(url)), 'address-refused');
        // Each call asks once: an answer that changes after the check is never seen.
        dns.addresses = ['127.0.0.1'];
        const before = dns.asked;
        const changing = guardedFetch({
          ...options,
          lookup: (name, all, found) =>
            lookup(name, all, (error, addresses) => {
              dns.addresses = ['169.254.169.254'];
              found(error, addresses);
            }),
        });
        assert.equal(await changing(url), { status: 200, retryAfter: undefined });
        assert.equal([dns.asked - before, calls], [1, 1]);
        assert.is(await codeOf(guardedFetch({ ...options, lookup })(url)), 'address-refused');
      },
    );
  } finally {
    dns.close();
  }
});

test('calls that follow one another share a connection; a call that did not end well leaves none', () => {
  const ports = new Set<number | undefined>();
  return withServer(
    (request, response) => {
      ports.add(request.socket.remotePort);
      if (request.url === '/endless') response.write(Buffer.alloc(16_384));
      else response.end('fine');
    },
    async ({ url }, options) => {
      const call = guardedFetch(options);
      for (let times = 0; times < 3; times++) assert.is((await call(url, { body: 'hello' })).status, 200);
      assert.is(ports.size, 1);
      assert.is((await call(`${url}endless`)).status, 200);
      assert.is((await call(url)).status, 200);
      assert.is(ports.size, 2);
    },
  );
});

test('as many calls at once as a host makes find the connections of those before them', () => {
  const ports = new Set<number | undefined>();
  return withServer(
    (request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    },
    async ({ url }, options) => {
      const call = guardedFetch(options);
      for (let times = 0; times < 3; times++) await Promise.all(Array.from({ length: 16 }, () => call(url)));
      assert.is(ports.size, 16);
    },
  );
});

test('a redirect to metadata is an answer, and is not followed', () => {
  let calls = 0;
  return withServer(
    (_, response) => {
      calls++;
      response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data/' }).end();
    },
    async ({ url }, options) => {
      assert.is((await guardedFetch(options)(url)).status, 302);
      assert.is(calls, 1);
    },
  );
});

test('of an endless answer and of a gzip bomb only a little is read', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  let sent = 0;
  const endless: RequestListener = (_, response) => {
    response.writeHead(200);
    const write = (): void => {
      while (response.write(Buffer.alloc(16_384))) sent += 16_384;
    };
    response.on('drain', write);
    write();
  };
  await withServer(endless, async ({ url }, options) => {
    assert.is((await guardedFetch(options)(url)).status, 200);
  });
  assert.ok(sent < 20_000_000, String(sent));
  await withServer(
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    async ({ url }, options) => assert.is((await guardedFetch(options)(url)).status, 200),
  );
});

test('a few answers such as 103 may come before the one that counts, and what never ends before it ends the call', async () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\n\r\n';
  for (const endless of [hint, '\r\n'])
    await withServer(
      ({ socket }) => {
        const write = (): void => {
          while (!socket.destroyed && socket.write(endless.repeat(1_000)));
        };
        socket.on('drain', write);
        write();
      },
      async ({ url }, options) =>
        assert.is(await codeOf(guardedFetch({ ...options, timeout: 'PT5S' })(url)), 'effect-failed'),
    );
  await withServer(
    ({ socket }) => socket.end(`${hint.repeat(3)}HTTP/1.1 204 No Content\r\n\r\n`),
    async ({ url }, options) => assert.is((await guardedFetch(options)(url)).status, 204),
  );
});

test('an answer whose body never ends counts by its status, within the time of the call', () =>
  withServer(
    (_, response) => {
      response.writeHead(200).write('.');
    },
    async ({ url }, options) => {
      const answer = guardedFetch({ ...options, timeout: 'PT0.3S' })(url);
      await durationOf(answer);
      assert.is((await answer).status, 200);
    },
  ));

test('headers that arrive a byte at a time, too many of them, or a half answer end as failures', async () => {
  await withServer(
    ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    },
    async ({ url }, options) =>
      assert.is(await codeOf(guardedFetch({ ...options, timeout: 'PT0.5S' })(url)), 'effect-timeout'),
  );
  for (const raw of [
    `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(5_000)}`,
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'no http at all\r\n\r\n',
    '',
  ])
    await withServer(
      ({ socket }) => socket.end(raw),
      async ({ url }, options) =>
        assert.is(await codeOf(guardedFetch(options)(url)), 'effect-failed', raw.slice(0, 20)),
    );
});

test('a certificate of an unknown authority is refused, whatever the environment says', () =>
  withServer(
    (_, response) => response.end(),
    async ({ url }, { allowedAddresses = [], allowedPorts = [], lookup }) => {
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
      try {
        const call = guardedFetch({ allowedAddresses, allowedPorts, ...(lookup && { lookup }) });
        assert.is(await codeOf(call(url)), 'effect-failed');
      } finally {
        delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      }
    },
  ));

test('proxies of the environment are not asked', () =>
  withServer(
    (_, response) => response.end(),
    async ({ url }, options) => {
      process.env['HTTPS_PROXY'] = 'http://127.0.0.1:9';
      try {
        assert.is((await guardedFetch(options)(url)).status, 200);
      } finally {
        delete process.env['HTTPS_PROXY'];
      }
    },
  ));

test('a call ends with its signal', () =>
  withServer(
    () => undefined,
    async ({ url }, options) => {
      const reason = new Problem('draining');
      const controller = new AbortController();
      const call = guardedFetch(options)(url, { signal: controller.signal });
      controller.abort(reason);
      assert.is(await call.catch((error: unknown) => error), reason);
      const late = guardedFetch(options)(url, { signal: controller.signal });
      assert.is(await late.catch((error: unknown) => error), reason);
    },
  ));
