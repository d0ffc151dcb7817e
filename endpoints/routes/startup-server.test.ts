import { once } from 'node:events';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createStartupServer } from './startup-server.js';

const test = suite('startup server');

for (const [what, bytes] of [
  ['sends nothing', ''],
  ['sends half a request', 'GET /health HTTP/1.1\r\nHo'],
] as const) {
  test(`a connection that ${what} does not hold the address`, async () => {
    const porch = createStartupServer(() => undefined);
    const url = await porch.listen(0, '127.0.0.1');
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(bytes);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await porch.close();
    await closed;
    assert.ok(socket.destroyed);
  });
}

test.run();
