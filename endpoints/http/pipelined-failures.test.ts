import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Kitchen, order, withBakery } from '../testing/bakery.js';
import { openRaw, rawPost } from '../testing/http-client.js';
import type { RouteAddition } from '../routes/http-server.js';

const test = suite('http failures');

const short = { headersTimeoutMs: 200, requestTimeoutMs: 400 };

/** What is wrong is noticed at once, or, when it is incomplete, by the check that runs once a second. */
const [seenAtOnceMs, seenLaterMs] = [300, 1_500];

for (const [what, { behind, bakingMs }] of Object.entries({
  'a body longer than its Content-Length': { behind: '}', bakingMs: seenAtOnceMs },
  'an invalid second request': { behind: 'BAKE /bread', bakingMs: seenAtOnceMs },
  'an incomplete second request': { behind: 'POST /br', bakingMs: seenLaterMs },
})) {
  test(`${what} does not replace the answer to a command in flight`, async () => {
    const bake: Kitchen['bake'] = ({ customer }) => delay(bakingMs, customer);
    await withBakery({ bake, http: short }, async ({ url }) => {
      const line = await openRaw(url);
      line.write(rawPost('/bread', JSON.stringify(order)) + behind);
      const received = await line.closed;
      assert.equal(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200']);
      assert.match(received, /connection: close[^]*"Ada"$/i);
    });
  });
}

for (const [what, { behind, risingMs }] of Object.entries({
  garbage: { behind: '!!!\r\n\r\n', risingMs: seenAtOnceMs },
  'endless garbage': { behind: '!!!\r\n\r\n'.repeat(20_000), risingMs: seenAtOnceMs },
  'an incomplete request': { behind: 'GET /sl', risingMs: seenLaterMs },
})) {
  test(`${what} after a GET is answered after its answer`, async () => {
    const slow: RouteAddition = (app) => app.get('/slow', () => delay(risingMs, 'risen'));
    await withBakery({ http: { ...short, routes: [slow] } }, async ({ url }) => {
      const line = await openRaw(url);
      line.write(`GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n${behind}`);
      const received = await line.closed;
      assert.match(received, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nrisenHTTP\/1\.1 4\d\d /);
      assert.is(received.match(/HTTP\/1\.1 \d+/g)?.length, 2);
    });
  });
}
