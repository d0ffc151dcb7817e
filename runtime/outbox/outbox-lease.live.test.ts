import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { bake, firstOf, leaseMs, mustHold, pending, rejection, withOutbox } from '../testing/outbox-scene.js';

const test = suite('the lease of the outbox');

test('one relay holds the lease, and the others learn for how long', () =>
  withOutbox(async ({ log, outbox, another }) => {
    await bake(log, false);
    const { remainingMs, ...granted } = await outbox.acquireLease(leaseMs);
    assert.equal(granted, { held: true, position: 0, head: 4, hasReplays: false });
    assert.ok(remainingMs <= leaseMs);
    const lease = await another.acquireLease(leaseMs);
    assert.ok(!lease.held && lease.remainingMs > leaseMs - 5_000 && lease.remainingMs <= leaseMs);
    mustHold(await outbox.acquireLease(leaseMs));
  }));

test('a lease that has expired goes to the next relay that asks', () =>
  withOutbox(async ({ outbox, another }) => {
    mustHold(await outbox.acquireLease(0));
    mustHold(await another.acquireLease(leaseMs));
    assert.not((await outbox.acquireLease(leaseMs)).held);
  }));

test('the cursor moves only from its current position, and only for the holder of the lease', () =>
  withOutbox(async ({ log, outbox, another, database }) => {
    await bake(log, true);
    mustHold(await outbox.acquireLease(leaseMs));
    assert.is(await another.advance(0, 2, leaseMs), false);
    assert.is(await outbox.advance(1, 2, leaseMs), false);
    assert.is(await outbox.advance(0, 2, leaseMs), true);
    assert.is(await outbox.advance(0, 2, leaseMs), false);
    assert.is(await outbox.advance(2, 1, leaseMs), false);
    assert.is(mustHold(await outbox.acquireLease(leaseMs)).position, 2);
    assert.equal(
      (await pending(database)).map(([position]) => position),
      ['3', '4'],
    );
  }));

test('a relay that lost its lease moves nothing and records nothing', () =>
  withOutbox(async ({ log, outbox, another, database }) => {
    await bake(log, false);
    mustHold(await outbox.acquireLease(0));
    mustHold(await another.acquireLease(leaseMs));
    const message = await firstOf(outbox);
    assert.is(await outbox.advance(0, 1, leaseMs), false);
    assert.is(await outbox.recordRejection(message, rejection, 0), false);
    assert.is(await outbox.deadLetter(message, rejection), false);
    assert.is(mustHold(await another.acquireLease(leaseMs)).position, 0);
    assert.equal(await database.rows({ text: 'SELECT * FROM svc_stuck_work' }), []);
    assert.equal(await database.rows({ text: 'SELECT * FROM svc_dead_letters' }), []);
  }));
