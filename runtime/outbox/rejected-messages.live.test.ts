import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { bake, firstOf, leaseMs, mustHold, pending, rejection, withOutbox } from '../testing/outbox-scene.js';

const test = suite('messages that a broker rejects');

test('only a rejected message gets a row, which is deleted when the cursor passes it', () =>
  withOutbox(async ({ log, outbox, database }) => {
    await bake(log, false);
    mustHold(await outbox.acquireLease(leaseMs));
    const message = await firstOf(outbox);
    for (let attempts = 1; attempts <= 2; attempts++)
      await outbox.recordRejection(message, rejection, 30_000);
    const again = await firstOf(outbox);
    assert.is(again.attempts, 2);
    assert.ok(again.dueInMs > 20_000 && again.dueInMs <= 30_000);
    assert.equal((await pending(database))[0]?.[4], '2');
    assert.equal(await database.rows({ text: 'SELECT position, error FROM svc_stuck_work' }), [
      ['1', rejection.error],
    ]);
    await outbox.advance(0, 1, leaseMs);
    assert.equal(await database.rows({ text: 'SELECT * FROM svc_stuck_work' }), []);
  }));

test('a dead letter is no longer pending, and is in svc_dead_letters', () =>
  withOutbox(async ({ log, outbox, database }) => {
    await bake(log, false);
    mustHold(await outbox.acquireLease(leaseMs));
    const message = await firstOf(outbox);
    await outbox.recordRejection(message, rejection, 0);
    assert.is(await outbox.deadLetter(message, { ...rejection, attempts: 5 }), true);
    assert.equal(await outbox.page(0, 4), []);
    assert.equal(await pending(database), []);
    const dead = await database.rows({
      text: 'SELECT message_id, message_type, destination, attempts, last_error, fingerprint, global_position FROM svc_dead_letters',
    });
    assert.equal(dead, [
      [message.id, 'Baked', 'svc.events.Baked', '5', rejection.error, rejection.fingerprint, '1'],
    ]);
  }));

test('a refusal that arrives late leaves a dead letter as it is, waiting or discarded', () =>
  withOutbox(async ({ log, outbox, database }) => {
    await bake(log, false);
    mustHold(await outbox.acquireLease(leaseMs));
    const message = await firstOf(outbox);
    await outbox.deadLetter(message, rejection);
    assert.not(await outbox.recordRejection(message, rejection, 0));
    await outbox.advance(0, 4, leaseMs);
    assert.not(await outbox.recordRejection(message, rejection, 0));
    assert.is((await database.rows({ text: 'SELECT 1 FROM svc_dead_letters' })).length, 1);
    await database.rows({
      text: "SELECT svc_resolve_dead_letters(array_agg(id), 'discarded', 'ada', NULL) FROM svc_dead_letters",
    });
    assert.not(await outbox.recordRejection(message, rejection, 0));
    assert.equal(await outbox.page(0, 4), []);
  }));

test('a message that is sent once more after its replay, and is rejected, is retried as if for the first time', () =>
  withOutbox(async ({ log, outbox, database }) => {
    await bake(log, false);
    mustHold(await outbox.acquireLease(leaseMs));
    await outbox.deadLetter(await firstOf(outbox), { ...rejection, attempts: 5 });
    await database.rows({ text: "SELECT svc_resolve_dead_letters('{1}', 'retrying', 'ada', NULL)" });
    for (const replay of await outbox.pendingReplays()) assert.ok(await outbox.markReplayed(replay));
    const again = await firstOf(outbox);
    assert.is(again.attempts, 0);
    await outbox.recordRejection(again, rejection, 0);
    assert.is((await firstOf(outbox)).attempts, 1);
    assert.equal(await outbox.pendingReplays(), []);
    await outbox.advance(0, 1, leaseMs);
    assert.equal(await database.rows({ text: 'SELECT * FROM svc_stuck_work' }), []);
  }));

test('a dead letter to replay is handed to the relay until it is published', () =>
  withOutbox(async ({ log, outbox, database }) => {
    await bake(log, true);
    mustHold(await outbox.acquireLease(leaseMs));
    for (const message of await outbox.page(0, 2)) await outbox.deadLetter(message, rejection);
    await outbox.advance(0, 4, leaseMs);
    await database.rows({
      text: "SELECT svc_resolve_dead_letters(array_agg(id), 'retrying', 'ada', NULL) FROM svc_dead_letters",
    });
    assert.is(mustHold(await outbox.acquireLease(leaseMs)).hasReplays, true);
    const [event, audit, ...rest] = await outbox.pendingReplays();
    assert.ok(event && audit);
    assert.equal(
      [event.destination, audit.destination, rest.length],
      ['svc.events.Baked', 'svc.core.auditevents', 0],
    );
    assert.is(await outbox.markReplayed(event), true);
    assert.is(await outbox.deadLetter(audit, { ...rejection, attempts: 2 }), true);
    assert.is(mustHold(await outbox.acquireLease(leaseMs)).hasReplays, false);
    assert.equal(await database.rows({ text: 'SELECT state, resolved_by FROM svc_stuck_work ORDER BY id' }), [
      ['replayed', 'ada'],
      ['parked', 'ada'],
    ]);
  }));
