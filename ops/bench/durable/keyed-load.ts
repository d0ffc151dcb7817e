import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { Problem } from '../../../contracts/problems.js';
import { quantile } from '../harness/statistics.js';
import { responseEnd } from '../http/response-end.js';
import { type Order, textOf } from './load-order.js';

/** The output of a load generator. */
export interface KeyedLoad {
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly answered: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
}

const order = JSON.parse(process.argv[2] ?? '') as Order;
const latencies: number[] = [];
const until = performance.now() + order.seconds * 1000;
const began = Date.now();
let sent = 0;

/** Sends the next request, with a key of its own, when the last one is answered. */
function keepAsking(socket: Socket, done: () => void): void {
  let received = '';
  let asked = 0;
  const ask = (): void => {
    asked = performance.now();
    if (sent >= order.count || asked >= until) {
      socket.destroy();
      done();
    } else socket.write(textOf(order, sent++, randomUUID(), Date.now()));
  };
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    const end = responseEnd(received);
    if (end === undefined) return;
    if (end.status >= 300) throw new Problem('unexpected', { detail: `The server answered ${received}` });
    received = received.slice(end.at);
    latencies.push(performance.now() - asked);
    ask();
  });
  socket.on('connect', ask);
}

const connections = Array.from(
  { length: order.connections },
  () => new Promise<void>((done) => keepAsking(connect(order.port, '127.0.0.1'), done)),
);
await Promise.all(connections);
const load: KeyedLoad = {
  began,
  answered: latencies.length,
  seconds: (Date.now() - began) / 1000,
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
};
process.stdout.write(`${JSON.stringify(load)}\n`);
