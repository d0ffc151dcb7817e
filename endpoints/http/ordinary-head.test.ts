import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { securityHeaders } from '../security-headers.js';
import { keepAliveMs, writeOrdinaryHead } from './reply.js';

const test = suite('ordinary head');

const ids = {
  correlationId: 'order-7',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};
const body = '{"status":"naïve"}';
const length = Buffer.byteLength(body);

/** What a client receives on a raw connection. */
async function answered(respond: (response: ServerResponse) => void, version = '1.1'): Promise<string> {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (_request, response) => respond(response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.setEncoding('utf8').write(`POST / HTTP/${version}\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`);
  let received = '';
  for await (const text of client) {
    received += String(text);
    if (received.endsWith(body)) break;
  }
  client.destroy();
  server.close();
  server.closeAllConnections();
  return received;
}

const byNode = (response: ServerResponse, ...own: readonly string[]): void => {
  const named = ['x-correlation-id', ids.correlationId, 'traceparent', ids.traceparent, ...own];
  const type = ['content-type', 'application/json; charset=utf-8', 'content-length', String(length)];
  response.writeHead(200, [...named, ...Object.entries(securityHeaders).flat(), ...type]);
  response.end(body);
};

const withoutTime = (answer: string): string => answer.replace(/^Date: .*$/m, 'Date: then');

test('the head of an ordinary answer is the one that Node would write', async () => {
  const ours = await answered((response) => {
    assert.ok(writeOrdinaryHead(response, ids, { length }));
    assert.ok(response.headersSent);
    response.end(body);
  });
  assert.is(withoutTime(ours), withoutTime(await answered((response) => byNode(response))));
  assert.match(ours, /^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/m);
});

test('an answer that links to a process has the head that Node would write', async () => {
  const link = '</api/orders/7>; rel="monitor"';
  const ours = await answered((response) => {
    assert.ok(writeOrdinaryHead(response, ids, { length, link }));
    response.end(body);
  });
  assert.is(withoutTime(ours), withoutTime(await answered((response) => byNode(response, 'link', link))));
});

test('the date of an answer is that of its second, also after the clock was set back', () => {
  const dateAt = (now: number): string | undefined => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.shouldKeepAlive = true;
    assert.ok(writeOrdinaryHead(response, ids, { length }, now));
    return /^Date: (.*)\r$/m.exec(String(Reflect.get(response, '_header')))?.[1];
  };
  const at = Date.UTC(2026, 0, 2, 3, 4, 5, 600);
  assert.is(dateAt(at), 'Fri, 02 Jan 2026 03:04:05 GMT');
  assert.is(dateAt(at + 399), 'Fri, 02 Jan 2026 03:04:05 GMT');
  assert.is(dateAt(at + 400), 'Fri, 02 Jan 2026 03:04:06 GMT');
  assert.is(dateAt(at - 1_000), 'Fri, 02 Jan 2026 03:04:04 GMT');
});

test('Node writes the head where the connection closes after the answer', async () => {
  const answer = await answered((response) => {
    assert.not(writeOrdinaryHead(response, ids, { length }));
    byNode(response);
  }, '1.0');
  assert.match(answer, /^Connection: close\r$/m);
});

test('a writeHead that other code has put there is called', async () => {
  let calls = 0;
  await answered((response) => {
    const { writeHead } = response;
    response.writeHead = ((status: number, head: string[]) => {
      calls++;
      return writeHead.call(response, status, head);
    }) as never;
    assert.not(writeOrdinaryHead(response, ids, { length }));
    byNode(response);
  });
  assert.is(calls, 1);
});
