import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../contracts/problems.js';
import { quantile } from '../harness/statistics.js';
import { responseEnd } from './response-end.js';
import { orderBody, orderCall, orderMutation } from './order.js';

/** The output of a load generator. */
export interface Load {
  /** Answered while it counted. */
  readonly requests: number;
  /** Answered in total, including warm-up. */
  readonly all: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
}

const connections = 64;
const warmUpMs = 400;

const [port = '', seconds = '1', api = 'rest', headers = '{}'] = process.argv.slice(2);
const more = Object.entries(JSON.parse(headers) as Record<string, string>).map((header) => header.join(': '));

const requestFor = (path: string, body: string, ...own: readonly string[]): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${[...more, ...own].map((line) => `${line}\r\n`).join('')}\r\n${body}`,
  );

const keyed = `${process.pid}-${Date.now()}`;
const [rest, mutation] = [requestFor('/orders', orderBody), requestFor('/graphql', orderMutation)];
/** The n-th request; one with a key is not equal to any other. */
const requests: Readonly<Record<string, (n: number) => Buffer>> = {
  rest: () => rest,
  graphql: () => mutation,
  keyed: (n) => requestFor('/orders', orderBody, `Idempotency-Key: ${keyed}-${n}`),
  tool: (n) => requestFor('/mcp', orderCall(`${keyed}-${n}`)),
};
const nth = requests[api] ?? requests['rest'] ?? (() => rest);
let sent = 0;
const latencies: number[] = [];
let counting = false;
let answered = 0;

/** Each connection sends the next request as soon as it is answered. */
function keepAsking(socket: Socket): void {
  let received = '';
  let asked = performance.now();
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received = received === '' ? text : received + text;
    const end = responseEnd(received);
    if (end === undefined) return;
    if (end.status !== 200) throw new Problem('unexpected', { detail: `The server answered ${received}` });
    received = received.slice(end.at);
    const now = performance.now();
    answered++;
    if (counting) latencies.push(now - asked);
    asked = now;
    socket.write(nth(sent++));
  });
  socket.on('connect', () => socket.write(nth(sent++)));
}

for (let n = 0; n < connections; n++) keepAsking(connect(Number(port), '127.0.0.1'));
await delay(warmUpMs);
counting = true;
const from = performance.now();
await delay(Number(seconds) * 1000);
counting = false;
const load: Load = {
  requests: latencies.length,
  all: answered,
  seconds: (performance.now() - from) / 1000,
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
};
process.stdout.write(`${JSON.stringify(load)}\n`, () => process.exit(0));
