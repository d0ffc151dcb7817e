import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { InMemoryInbox } from '../../runtime/testing/in-memory-inbox.js';
import { InMemoryOutbox } from '../../runtime/testing/in-memory-outbox.js';
import { LeaseLength } from '../../runtime/leases/lease-length.js';
import { Lease } from './lease.js';

const test = suite('lease');

test('a lease that was not acquired has expired', () => {
  assert.ok(new Lease(new InMemoryOutbox().heldBy('us'), new LeaseLength(1_000)).hasExpired);
});

test('an acquired lease is due for renewal after half of its time', () =>
  withFakeTimeouts(async (clock) => {
    const lease = new Lease(new InMemoryOutbox().heldBy('us'), new LeaseLength(1_000));
    await lease.acquireLease();
    assert.is(lease.renewInMs, 500);
    clock.advance(999);
    assert.not(lease.hasExpired);
    clock.advance(1);
    assert.ok(lease.hasExpired);
  }));

test('a lease that could not be prolonged lasts only as long as the store says', () =>
  withFakeTimeouts(async (clock) => {
    const store = { acquireLease: () => Promise.resolve({ held: true, remainingMs: 20 }) };
    const lease = new Lease(store, new LeaseLength(1_000));
    await lease.acquireLease();
    clock.advance(20);
    assert.ok(lease.hasExpired);
  }));

test('a lease counts from before the query, however late the store answers', () =>
  withFakeTimeouts(async (clock) => {
    const outbox = new InMemoryOutbox().heldBy('us');
    const acquireLease = (ms: number) => {
      clock.advance(40);
      return outbox.acquireLease(ms);
    };
    const lease = new Lease({ ...outbox, acquireLease }, new LeaseLength(30));
    assert.ok((await lease.acquireLease()).held);
    assert.ok(lease.hasExpired);
  }));

test('moving the cursor renews the lease; a cursor that another host moved does not', () =>
  withFakeTimeouts(async (clock) => {
    const log = new InMemoryOutbox();
    const outbox = log.heldBy('us');
    const lease = new Lease(outbox, new LeaseLength(60));
    await lease.acquireLease();
    clock.advance(20);
    assert.is(lease.renewInMs, 10);
    assert.ok(await lease.renewWith((ms) => outbox.advance(0, 5, ms)));
    assert.is(lease.renewInMs, 30);
    clock.advance(20);
    log.owner = 'another';
    assert.not(await lease.renewWith((ms) => outbox.advance(5, 6, ms)));
    assert.is(lease.renewInMs, 10);
    assert.is(log.cursor, 5);
  }));

test('a write renews the lease too, and an older answer never shortens it', () =>
  withFakeTimeouts(async () => {
    const lease = new Lease(new InMemoryInbox().heldBy('us'), new LeaseLength(3_000), 1 / 6);
    await lease.acquireLease();
    lease.renewedAt(performance.now() + 1_000);
    assert.is(lease.renewInMs, 3_500);
    lease.renewedAt(0);
    assert.is(lease.renewInMs, 3_500);
  }));

test('when another host holds the lease, it expires at once', async () => {
  const inbox = new InMemoryInbox();
  const lease = new Lease(inbox.heldBy('us'), new LeaseLength(3_000), 1 / 6);
  await lease.acquireLease();
  inbox.owner = 'them';
  assert.is((await lease.acquireLease()).held, false);
  assert.ok(lease.hasExpired);
});
