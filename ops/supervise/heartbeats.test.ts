import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { atHeartbeats } from './heartbeats.js';
import { heartbeatEveryMs } from './ipc-messages.js';

const test = suite('heartbeats of a host');

const clients = 400;

test('they continue while one turn of the event loop reads many requests, which runs no timer', async () => {
  let handled = 0;
  const handledAtBeat: number[] = [];
  atHeartbeats(() => handledAtBeat.push(handled));
  const server = createServer((_, response) => {
    const end = performance.now() + (4 * heartbeatEveryMs) / clients;
    while (performance.now() < end);
    handled++;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: clients }, () => connect(port, '127.0.0.1'));
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await until(() => handledAtBeat.length > 0);
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => handled === clients);
    assert.ok(
      handledAtBeat.filter((count) => count > 0 && count < clients).length >= 2,
      handledAtBeat.join(),
    );
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
