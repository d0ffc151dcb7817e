import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InMemoryInbox } from '../../runtime/testing/in-memory-inbox.js';
import { InMemoryOutbox } from '../../runtime/testing/in-memory-outbox.js';
import { Lease } from './lease.js';

const test = suite('lease');

const stand = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('before it is taken it has run out', () => {
  assert.ok(new Lease(new InMemoryOutbox().seenBy('us'), 1_000).hasRunOut);
});

test('a lease that is taken is to be renewed after half of its time', async () => {
  const lease = new Lease(new InMemoryOutbox().seenBy('us'), 1_000);
  await lease.turn();
  assert.not(lease.hasRunOut);
  assert.ok(lease.renewInMs > 400 && lease.renewInMs <= 500);
});

test('a lease that another one holds has run out for us', async () => {
  const log = new InMemoryOutbox();
  await log.seenBy('another').turn(1_000);
  const lease = new Lease(log.seenBy('us'), 1_000);
  assert.not((await lease.turn()).held);
  assert.ok(lease.hasRunOut);
});

test('a lease counts from before the store was asked, however late it answers', async () => {
  const log = new InMemoryOutbox();
  const outbox = log.seenBy('us');
  const slow = { ...outbox, turn: (ms: number) => stand(40).then(() => outbox.turn(ms)) };
  const lease = new Lease(slow, 30);
  assert.ok((await lease.turn()).held);
  assert.ok(lease.hasRunOut);
});

test('moving the cursor keeps the lease; a cursor that another one moved does not', async () => {
  const log = new InMemoryOutbox();
  const outbox = log.seenBy('us');
  const lease = new Lease(outbox, 60);
  await lease.turn();
  await stand(20);
  assert.ok(await lease.renewedBy((ms) => outbox.advance(0, 5, ms)));
  const left = lease.renewInMs;
  assert.ok(left > 15);
  log.owner = 'another';
  assert.not(await lease.renewedBy((ms) => outbox.advance(5, 6, ms)));
  assert.ok(lease.renewInMs <= left);
  assert.is(log.cursor, 5);
});

test('it is kept by asking for it, and renewed before it ends', async () => {
  const lease = new Lease(new InMemoryInbox().seenBy('us'), 3_000, 1 / 6);
  assert.ok(lease.hasRunOut);
  assert.is((await lease.turn()).held, true);
  assert.not(lease.hasRunOut);
  assert.ok(lease.renewInMs > 0 && lease.renewInMs <= 2_500);
});

test('storing keeps it too, and an older answer never shortens it', async () => {
  const lease = new Lease(new InMemoryInbox().seenBy('us'), 3_000, 1 / 6);
  await lease.turn();
  const before = lease.renewInMs;
  lease.keptAt(performance.now() + 1_000);
  assert.ok(lease.renewInMs > before);
  lease.keptAt(0);
  assert.ok(lease.renewInMs > before);
});

test('when another one has it, it is over at once', async () => {
  const inbox = new InMemoryInbox();
  const lease = new Lease(inbox.seenBy('us'), 3_000, 1 / 6);
  await lease.turn();
  inbox.owner = 'them';
  assert.is((await lease.turn()).held, false);
  assert.ok(lease.hasRunOut);
});

test.run();
