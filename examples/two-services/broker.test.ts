import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBroker } from './broker.js';

const test = suite('the broker of two services');

test('without nats-server, one line says how to get one', async () => {
  const reason = await startBroker('.svc/nats', '4222', []).then(
    () => 'started',
    ({ detail }: { detail: string }) => detail,
  );
  assert.match(reason, /^nats-server is not on the PATH.*apt-get install nats-server.*or set NATS_URL/);
  assert.not.match(reason, /\n/);
});

test.run();
