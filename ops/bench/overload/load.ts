import { connect, type Socket } from 'node:net';
import { responseEnd } from '../http/response-end.js';
import { orderBody } from '../http/order.js';
import { quantile } from '../harness/statistics.js';

/** The outcomes of the requests. */
export interface Offered {
  readonly good: number;
  /** Served after more than a second. */
  readonly late: number;
  readonly shed: number;
  readonly failed: number;
  readonly seconds: number;
  readonly p99: number;
  readonly shedP99: number;
  /** How late the requests were sent: a high value means that the machine was busy with something else. */
  readonly sentLateP99: number;
}

const [port = '', perSecond = '0', seconds = '1', manner = 'kept'] = process.argv.slice(2);
const isFresh = manner === 'fresh';
const request = Buffer.from(
  `POST /orders HTTP/1.1\r\nHost: localhost\r\nConnection: ${isFresh ? 'close' : 'keep-alive'}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(orderBody)}\r\n\r\n${orderBody}`,
);
const closedLoop = 32;
const maxConnections = 4_000;
const warmUpMs = 1_000;
const idle: Socket[] = [];
const waiting: number[] = [];
const served: number[] = [];
const refused: number[] = [];
const sentLate: number[] = [];
let connections = 0;
let failed = 0;
let counting = false;

/** A connection that carries one request at a time, each measured from when it was due. */
function open(due: number): void {
  connections++;
  const socket = connect(Number(port), '127.0.0.1').setNoDelay(true).setEncoding('latin1');
  let received = '';
  let since = due;
  const ask = (at: number): void => {
    since = at;
    socket.write(request);
  };
  socket.on('data', (text: string) => {
    received += text;
    const end = responseEnd(received);
    if (end === undefined) return;
    received = received.slice(end.at);
    if (counting) (end.status === 200 ? served : refused).push(performance.now() - since);
    if (isFresh) return;
    const next = perSecond === '0' ? performance.now() : waiting.shift();
    if (next === undefined) idle.push(socket);
    else ask(next);
  });
  socket.on('error', () => (failed += counting ? 1 : 0));
  socket.on('close', () => connections--);
  socket.on('ask', ask);
  ask(due);
}

function send(due: number): void {
  const socket = idle.pop();
  if (socket !== undefined) socket.emit('ask', due);
  else if (connections < maxConnections) open(due);
  else waiting.push(due);
}

let sent = 0;
const from = performance.now();
if (perSecond === '0') for (let n = 0; n < closedLoop; n++) open(from);
else {
  setInterval(() => {
    const due = ((performance.now() - from) / 1000) * Number(perSecond);
    for (; sent < due; sent++) {
      const at = from + (sent / Number(perSecond)) * 1000;
      if (counting) sentLate.push(performance.now() - at);
      send(at);
    }
  }, 2);
}
setTimeout(() => (counting = true), warmUpMs);
setTimeout(
  () => {
    const offered: Offered = {
      good: served.filter((ms) => ms <= 1_000).length,
      late: served.filter((ms) => ms > 1_000).length,
      shed: refused.length,
      failed,
      seconds: Number(seconds),
      p99: quantile(served, 0.99),
      shedP99: quantile(refused, 0.99),
      sentLateP99: quantile(sentLate, 0.99),
    };
    process.stdout.write(`${JSON.stringify(offered)}\n`, () => process.exit(0));
  },
  warmUpMs + Number(seconds) * 1000,
);
