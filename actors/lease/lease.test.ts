import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InMemoryInbox } from '../../runtime/testing/in-memory-inbox.js';
import { InMemoryOutbox } from '../../runtime/testing/in-memory-outbox.js';
import { Lease } from './lease.js';

const test = suite('lease');

const stand = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('a lease that was not acquired has expired', () => {
  assert.ok(new Lease(new InMemoryOutbox().heldBy('us'), 1_000).hasExpired);
});

test('an acquired lease is due for renewal after half of its time', async () => {
  const lease = new Lease(new InMemoryOutbox().heldBy('us'), 1_000);
  await lease.acquireLease();
  assert.not(lease.hasExpired);
  assert.ok(lease.renewInMs > 400 && lease.renewInMs <= 500);
});

test('a lease that another host holds has expired for us', async () => {
  const log = new InMemoryOutbox();
  await log.heldBy('another').acquireLease(1_000);
  const lease = new Lease(log.heldBy('us'), 1_000);
  assert.not((await lease.acquireLease()).held);
  assert.ok(lease.hasExpired);
});

test('a lease counts from before the query, however late the store answers', async () => {
  const log = new InMemoryOutbox();
  const outbox = log.heldBy('us');
  const slow = { ...outbox, acquireLease: (ms: number) => stand(40).then(() => outbox.acquireLease(ms)) };
  const lease = new Lease(slow, 30);
  assert.ok((await lease.acquireLease()).held);
  assert.ok(lease.hasExpired);
});

test('moving the cursor renews the lease; a cursor that another host moved does not', async () => {
  const log = new InMemoryOutbox();
  const outbox = log.heldBy('us');
  const lease = new Lease(outbox, 60);
  await lease.acquireLease();
  await stand(20);
  assert.ok(await lease.renewWith((ms) => outbox.advance(0, 5, ms)));
  const left = lease.renewInMs;
  assert.ok(left > 15);
  log.owner = 'another';
  assert.not(await lease.renewWith((ms) => outbox.advance(5, 6, ms)));
  assert.ok(lease.renewInMs <= left);
  assert.is(log.cursor, 5);
});

test('asking for the lease renews it before it ends', async () => {
  const lease = new Lease(new InMemoryInbox().heldBy('us'), 3_000, 1 / 6);
  assert.ok(lease.hasExpired);
  assert.is((await lease.acquireLease()).held, true);
  assert.not(lease.hasExpired);
  assert.ok(lease.renewInMs > 0 && lease.renewInMs <= 2_500);
});

test('a write renews the lease too, and an older answer never shortens it', async () => {
  const lease = new Lease(new InMemoryInbox().heldBy('us'), 3_000, 1 / 6);
  await lease.acquireLease();
  const before = lease.renewInMs;
  lease.renewedAt(performance.now() + 1_000);
  assert.ok(lease.renewInMs > before);
  lease.renewedAt(0);
  assert.ok(lease.renewInMs > before);
});

test('when another host holds the lease, it expires at once', async () => {
  const inbox = new InMemoryInbox();
  const lease = new Lease(inbox.heldBy('us'), 3_000, 1 / 6);
  await lease.acquireLease();
  inbox.owner = 'them';
  assert.is((await lease.acquireLease()).held, false);
  assert.ok(lease.hasExpired);
});

test.run();
