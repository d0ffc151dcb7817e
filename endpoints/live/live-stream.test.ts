import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { LiveStream } from './live-stream.js';

const test = suite('live stream');

const at = { position: 7, model: 9 };
const big = { at, event: 'changed', key: 'k', model: JSON.stringify('x'.repeat(100_000)) } as const;

interface Scene {
  readonly stream: LiveStream;
  /** Nothing is read of it yet. */
  readonly answer: IncomingMessage;
  readonly hasLeft: () => boolean;
}

/** A stream over a real connection. */
async function withStream(maxQueuedBytes: number, body: (scene: Scene) => Promise<void>): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let isLeft = false;
  const opening = new Promise<LiveStream>((resolve) => {
    server.on('request', (_, response) => {
      const stream = new LiveStream(response, maxQueuedBytes);
      stream.start({}, { at, leave: () => (isLeft = true) });
      resolve(stream);
    });
  });
  const request = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  request.on('error', () => undefined);
  try {
    const answering = new Promise<IncomingMessage>((resolve) => request.on('response', resolve));
    const stream = await opening;
    const answer = (await answering).setEncoding('utf8');
    answer.on('error', () => undefined);
    await body({ stream, answer, hasLeft: () => isLeft });
  } finally {
    request.destroy();
    server.close();
    server.closeAllConnections();
  }
}

const textOf = async (answer: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const part of answer) text += String(part);
  return text;
};

test('a client that leaves too much unread gets the reason with what it reads later, and no longer watches', () =>
  withStream(200_000, async ({ stream, answer, hasLeft }) => {
    for (let sent = 0; sent < 1_000 && !hasLeft(); sent++) stream.send(big);
    assert.ok(hasLeft());
    const text = await textOf(answer);
    assert.match(text, /^retry: 1000\n\n/);
    assert.ok(text.endsWith('event: closed\ndata: {"reason":"slow"}\n\n'), text.slice(-100));
  }));

test('a client that reads nothing from one heartbeat to the next is dropped', () =>
  withStream(1_000_000_000, async ({ stream, hasLeft }) => {
    for (let sent = 0; sent < 300; sent++) stream.send(big);
    await until(() => {
      stream.heartbeat();
      return hasLeft();
    });
  }));

test('a heartbeat says how far the client has come, and a stream is closed once', () =>
  withStream(1_000, async ({ stream, answer }) => {
    stream.heartbeat();
    stream.close('draining');
    stream.close('permission');
    stream.send(big);
    stream.heartbeat();
    assert.is(
      await textOf(answer),
      'retry: 1000\n\n: \nid: 7.9\n\nevent: closed\ndata: {"reason":"draining"}\n\n',
    );
  }));

test('a client that goes away no longer watches', () =>
  withStream(1_000, async ({ answer, hasLeft }) => {
    answer.destroy();
    await until(hasLeft);
  }));
