import { once } from 'node:events';
import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { log } from '../../runtime/logging/log.js';
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

test('a request that comes too early is logged as information, not as an error', async () => {
  const lines: unknown[] = [];
  const before = { info: log.info, error: log.error };
  log.info = (facts: unknown) => void lines.push(['info', (facts as { code?: unknown }).code]);
  log.error = (facts: unknown) => void lines.push(['error', facts]);
  const porch = createStartupServer(() => undefined);
  try {
    const answer = await fetch(await porch.listen(0, '127.0.0.1'));
    assert.equal([answer.status, answer.headers.get('retry-after')], [503, '5']);
  } finally {
    await porch.close();
    Object.assign(log, before);
  }
  assert.equal(lines, [['info', 'migrating']]);
});
