import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from './free-port.js';

const test = suite('free port');

test('a free port is one that can be listened on', async () => {
  const port = await freePort();
  assert.ok(port > 1023 && port < 65_536);
});

test.run();
