import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBroker } from './broker.js';

test('without nats-server, one line says how to get one', async () => {
  const reason = await startBroker('.svc/nats', '4222', []).then(
    () => 'started',
    ({ detail }: { detail: string }) => detail,
  );
  assert.match(reason, /^nats-server is not on the PATH.*apt-get install nats-server.*or set NATS_URL/);
  assert.doesNotMatch(reason, /\n/);
});
