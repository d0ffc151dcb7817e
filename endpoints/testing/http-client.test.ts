import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { openRaw, send } from './http-client.js';

const test = suite('http client of the tests');

async function withLeak(body: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((_, answer) => answer.end('TypeError: x is not a function'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const failureOf = async (asking: Promise<unknown>): Promise<unknown> => {
  let outcome: unknown;
  asking.then(
    () => (outcome = 'answered'),
    (error: unknown) => (outcome = error),
  );
  await until(() => outcome !== undefined, 2_000);
  return outcome;
};

test('an answer that reveals internals fails its caller at once', () =>
  withLeak(async (url) => {
    assert.instance(await failureOf(send(url)), assert.Assertion);
    const line = await openRaw(url);
    line.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    assert.instance(await failureOf(line.closed), assert.Assertion);
  }));
