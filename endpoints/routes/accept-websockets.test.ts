import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { takeWebSockets } from './accept-websockets.js';

const test = suite('upgrades');

/** The answer to these bytes, from a server that echoes bodies, slowly on one path, and closes what it upgrades. */
async function answerTo(request: string): Promise<string> {
  const server = createServer((asked, answer) => {
    void text(asked).then(async (body) => {
      await delay(asked.url === '/slow' ? 100 : 0);
      answer.end(`${asked.method} ${asked.url} ${body}`);
    });
  });
  takeWebSockets(server, '/inspect', (_, socket) => socket.end('upgraded'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    socket.write(request);
    return await text(socket);
  } finally {
    socket.destroy();
    server.close();
  }
}

const websocket = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
const last = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

test('a WebSocket at the path is accepted, also with a query', async () => {
  assert.is(await answerTo(`GET /inspect HTTP/1.1\r\n${websocket}\r\n`), 'upgraded');
  assert.is(await answerTo(`GET /inspect?t=1 HTTP/1.1\r\n${websocket}\r\n`), 'upgraded');
});

test('an h2c offer is declined: the request is answered with its body, and so are those behind it', async () => {
  const offer = 'Host: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n';
  const answer = await answerTo(`POST /bread HTTP/1.1\r\n${offer}Content-Length: 5\r\n\r\nhello${last}`);
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, 'POST /bread hello');
  assert.match(answer, 'GET /last ');
});

test('a declined offer with close is answered, and the connection closed', async () => {
  const offer = 'Host: a\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n';
  const answer = await answerTo(`GET /bread HTTP/1.1\r\n${offer}\r\n`);
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n.*^connection: close\r\n.*GET \/bread /ims);
});

test('a WebSocket at another path is answered as an ordinary request', async () => {
  assert.match(await answerTo(`GET /elsewhere HTTP/1.1\r\n${websocket}\r\n${last}`), 'GET /elsewhere ');
});

test('an offer with two Host headers is refused like any such request, and not upgraded', async () => {
  const answer = await answerTo(`GET /inspect HTTP/1.1\r\nHost: b\r\n${websocket}\r\n${last}`);
  assert.match(answer, 'GET /inspect ');
});

test('a WebSocket begins after the answers to earlier requests', async () => {
  const slow = 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello';
  const answers = await answerTo(`${slow}${slow}GET /inspect HTTP/1.1\r\n${websocket}\r\n`);
  assert.match(answers, /POST \/slow hello.*POST \/slow helloupgraded$/s);
});

test('however many offers are pipelined, each is answered, in order', async () => {
  const offer = (path: string) => `GET ${path} HTTP/1.1\r\n${websocket}\r\n`;
  const paths = ['/slow', '/a', '/slow', '/b', '/c', '/d', '/e', '/f', '/g', '/h', '/i', '/j', '/k'];
  const answers = await answerTo(`${paths.map(offer).join('')}${last}`);
  const answered = [...answers.matchAll(/GET (\/\w+) /g)].map(([, path]) => path);
  assert.equal(answered, [...paths, '/last']);
});

test('a client that disconnects while its offer waits affects no other', async () => {
  const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';
  let upgrades = 0;
  let answered = (): void => undefined;
  const ended = new Promise<void>((resolve) => (answered = resolve));
  const server = createServer((request, answer) => {
    request.socket.once('close', () => {
      answer.end('slow');
      answered();
    });
  });
  takeWebSockets(server, '/inspect', () => upgrades++);
  server.once('upgrade', () => socket.resetAndDestroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${slow}GET /inspect HTTP/1.1\r\n${websocket}\r\n`);
  await ended;
  await delay(50);
  server.close();
  assert.is(upgrades, 0);
});
