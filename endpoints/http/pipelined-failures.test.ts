import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Kitchen, order, withBakery } from '../testing/bakery.js';
import { openRaw, rawPost } from '../testing/http-client.js';
import type { RouteAddition } from '../routes/http-server.js';

const test = suite('http failures');

const short = { headersTimeoutMs: 200, requestTimeoutMs: 400 };

for (const [what, behind] of Object.entries({
  'a body longer than its Content-Length': '}',
  'an invalid second request': 'BAKE /bread',
  'an incomplete second request': 'POST /br',
})) {
  test(`${what} does not replace the answer to a command in flight`, async () => {
    const bake: Kitchen['bake'] = ({ customer }) => delay(1_500, customer);
    await withBakery({ bake, http: short }, async ({ url }) => {
      const line = await openRaw(url);
      line.write(rawPost('/bread', JSON.stringify(order)) + behind);
      const received = await line.closed;
      assert.equal(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200']);
      assert.match(received, /connection: close[^]*"Ada"$/i);
    });
  });
}

for (const [what, behind] of Object.entries({
  garbage: '!!!\r\n\r\n',
  'endless garbage': '!!!\r\n\r\n'.repeat(20_000),
  'an incomplete request': 'GET /sl',
})) {
  test(`${what} after a GET is answered after its answer`, async () => {
    const slow: RouteAddition = (app) => app.get('/slow', () => delay(1_500, 'risen'));
    await withBakery({ http: { ...short, routes: [slow] } }, async ({ url }) => {
      const line = await openRaw(url);
      line.write(`GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n${behind}`);
      const received = await line.closed;
      assert.match(received, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nrisenHTTP\/1\.1 4\d\d /);
      assert.is(received.match(/HTTP\/1\.1 \d+/g)?.length, 2);
    });
  });
}
