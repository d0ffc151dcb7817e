import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RelayLease } from './relay-lease.js';
import { InMemoryLog } from '../testing/in-memory-outbox.js';

const test = suite('relay lease');

const stand = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('before it is taken it has run out', () => {
  assert.ok(new RelayLease(new InMemoryLog().seenBy('us'), 1_000).hasRunOut);
});

test('a lease that is taken is to be renewed after half of its time', async () => {
  const lease = new RelayLease(new InMemoryLog().seenBy('us'), 1_000);
  await lease.turn();
  assert.not(lease.hasRunOut);
  assert.ok(lease.renewInMs > 400 && lease.renewInMs <= 500);
});

test('a lease that another one holds has run out for us', async () => {
  const log = new InMemoryLog();
  await log.seenBy('another').turn(1_000);
  const lease = new RelayLease(log.seenBy('us'), 1_000);
  assert.not((await lease.turn()).held);
  assert.ok(lease.hasRunOut);
});

test('a lease counts from before the store was asked, however late it answers', async () => {
  const log = new InMemoryLog();
  const outbox = log.seenBy('us');
  const slow = { ...outbox, turn: (ms: number) => stand(40).then(() => outbox.turn(ms)) };
  const lease = new RelayLease(slow, 30);
  assert.ok((await lease.turn()).held);
  assert.ok(lease.hasRunOut);
});

test('moving the cursor keeps the lease; a cursor that another one moved does not', async () => {
  const log = new InMemoryLog();
  const lease = new RelayLease(log.seenBy('us'), 60);
  await lease.turn();
  await stand(20);
  assert.ok(await lease.advance(0, 5));
  const left = lease.renewInMs;
  assert.ok(left > 15);
  log.owner = 'another';
  assert.not(await lease.advance(5, 6));
  assert.ok(lease.renewInMs <= left);
  assert.is(log.cursor, 5);
});

test.run();
