import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InboxLease } from './inbox-lease.js';
import { InMemoryInbox } from '../testing/in-memory-inbox.js';

const test = suite('inbox lease');

test('it is kept by asking for it, and renewed before it ends', async () => {
  const lease = new InboxLease(new InMemoryInbox().seenBy('us'), 3_000);
  assert.ok(lease.hasRunOut);
  assert.is((await lease.turn()).held, true);
  assert.not(lease.hasRunOut);
  assert.ok(lease.renewInMs > 0 && lease.renewInMs <= 2_500);
});

test('storing keeps it too, and an older answer never shortens it', async () => {
  const lease = new InboxLease(new InMemoryInbox().seenBy('us'), 3_000);
  await lease.turn();
  const before = lease.renewInMs;
  lease.keptAt(performance.now() + 1_000);
  assert.ok(lease.renewInMs > before);
  lease.keptAt(0);
  assert.ok(lease.renewInMs > before);
});

test('when another one has it, it is over at once', async () => {
  const inbox = new InMemoryInbox();
  const lease = new InboxLease(inbox.seenBy('us'), 3_000);
  await lease.turn();
  inbox.owner = 'them';
  assert.is((await lease.turn()).held, false);
  assert.ok(lease.hasRunOut);
});

test.run();
