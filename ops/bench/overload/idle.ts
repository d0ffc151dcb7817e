import { connect } from 'node:net';
import { responseEnd } from '../http/response-end.js';
import { orderBody } from '../http/order.js';

/** The number of connections that stay open after one answered request each. */
export interface Idle {
  readonly open: number;
}

const [port = '', count = '1'] = process.argv.slice(2);
const request = `POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(orderBody)}\r\n\r\n${orderBody}`;

const answered = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('connect', () => socket.write(request));
    socket.on('data', (text: string) => {
      received += text;
      if (responseEnd(received) !== undefined) resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

let open = 0;
while (open < Number(count)) {
  const opened = await Promise.all(Array.from({ length: 50 }, answered));
  const got = opened.filter(Boolean).length;
  if (got === 0) break;
  open += got;
}
const idle: Idle = { open };
process.stdout.write(`${JSON.stringify(idle)}\n`);
setInterval(() => undefined, 1_000);
