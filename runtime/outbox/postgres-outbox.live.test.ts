import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import type { PostgresStore } from '../store/postgres-event-store.js';
import { fileOf, importText, lineOf } from '../testing/imported-events.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { testRecorder } from '../testing/small-segments.js';
import { destinationOf } from '../transport/subjects.js';
import { readOutboxBacklog } from './backlog.js';
import type { Outbox, PendingMessage, OutboxLease } from './outbox.js';
import { postgresOutbox } from './postgres-outbox.js';

const test = suite('postgres outbox');

const store = '018f0000-0000-7000-8000-0000000000ff';
const leaseMs = 60_000;
const rejection = { attempts: 1, error: 'RangeError: too large', fingerprint: '0123456789ab' };

interface Scene {
  readonly log: PostgresStore;
  readonly database: Database;
  readonly owner: Database;
  readonly outbox: Outbox;
  readonly another: Outbox;
}

const withOutbox = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase((migrated) => {
    const database = migrated.connect();
    return body({
      log: migrated.openStore('north'),
      database,
      owner: migrated.connect({ owner: true }),
      outbox: postgresOutbox(database, newUuid(), store),
      another: postgresOutbox(database, newUuid(), store),
    });
  });

const envelope = (messageType: string, streamId?: string): Envelope => ({
  messageId: newUuid(),
  messageType,
  payload: { loaves: 3 },
  streamId,
  timestamp: new Date().toISOString(),
  correlationId: 'monday',
  v: 1,
});

/** One event with its audits, some of them marked for publishing. */
async function bake(log: PostgresStore, publish: boolean): Promise<void> {
  const { streamId } = SystemEventStreams;
  const records = ['EventAudited', 'CommandAudited', 'HookFailed'].map((type) => ({
    envelope: envelope(type, streamId),
    publish,
  }));
  await log.commit({
    events: [{ streamId: newUuid(), envelope: envelope('Baked') }],
    records,
    expected: new Map(),
  });
}

function mustHold(lease: OutboxLease) {
  assert.ok(lease.held);
  return lease;
}

async function firstOf(outbox: Outbox): Promise<PendingMessage> {
  const [message] = await outbox.page(0, 1);
  assert.ok(message);
  return message;
}

const pending = (database: Database) =>
  database.rows({
    text: `SELECT global_position, destination, event_type, host, attempts FROM svc_outbox_pending ORDER BY 1`,
  });

test('svc_outbox_pending has every domain event, and the system records that are marked for publishing', () =>
  withOutbox(async ({ log, database }) => {
    await bake(log, false);
    await bake(log, true);
    assert.equal(await pending(database), [
      ['1', 'svc.events.Baked', 'Baked', 'north', '0'],
      ['5', 'svc.events.Baked', 'Baked', 'north', '0'],
      ['6', 'svc.core.auditevents', 'EventAudited', 'north', '0'],
      ['7', 'svc.core.auditevents', 'CommandAudited', 'north', '0'],
      ['8', 'svc.system.HookFailed', 'HookFailed', 'north', '0'],
    ]);
  }));

test('a page holds the same messages as the view, with all their data', () =>
  withOutbox(async ({ log, outbox, database }) => {
    await bake(log, true);
    const page = await outbox.page(0, 4);
    assert.equal(
      page.map(({ position, destination }) => [String(position), destination]),
      (await pending(database)).map(([position, destination]) => [position, destination]),
    );
    const [message] = page;
    assert.ok(message);
    assert.equal([message.id, message.attempts, message.dueInMs], [message.envelope.messageId, 0, 0]);
    const { payload, streamPosition, host, correlationId } = message.envelope;
    assert.equal([payload, streamPosition, host, correlationId], [{ loaves: 3 }, 1, 'north', 'monday']);
    assert.is(message.envelope.store, store);
    for (const each of page) assert.is(each.destination, destinationOf(each.envelope));
  }));

test('an event that was stored without a trace gets one, the same for every attempt', () =>
  withOutbox(async ({ log, outbox }) => {
    await bake(log, true);
    const given = { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`, tracestate: 'foo=1' };
    const traced = { ...envelope('Baked'), ...given };
    await log.append(newUuid(), [traced]);
    const [page, again] = [await outbox.page(0, 5), await outbox.page(0, 5)];
    const tracesOf = (messages: readonly PendingMessage[]) =>
      messages.map((message) => message.envelope.traceparent);
    for (const trace of tracesOf(page)) assert.match(trace ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
    assert.is(new Set(tracesOf(page)).size, 5);
    assert.equal(tracesOf(again), tracesOf(page));
    assert.is(tracesOf(page).at(-1), traced.traceparent);
    assert.equal(
      page.map((message) => message.envelope.tracestate),
      [undefined, undefined, undefined, undefined, 'foo=1'],
    );
  }));

test('a page ends at its upper bound', () =>
  withOutbox(async ({ log, outbox }) => {
    await bake(log, true);
    await bake(log, true);
    const page = await outbox.page(2, 5);
    assert.equal(
      page.map(({ position }) => position),
      [3, 4, 5],
    );
  }));

test('an event received from another store is not published again', () =>
  withOutbox(async ({ log, outbox, owner, database }) => {
    await bake(log, false);
    await owner.rows({
      text: `INSERT INTO svc_events(global_position, stream_id, origin, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
        SELECT 100, stream_id, 1, 1, gen_random_uuid(), event_type, data, metadata, host, occurred_at, recorded_at FROM svc_events`,
    });
    assert.equal(
      (await outbox.page(0, 200)).map(({ position }) => position),
      [1],
    );
    assert.is((await pending(database)).length, 1);
  }));

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

test('imported events are not published, unless they were imported for it', () =>
  withOutbox(async ({ log, outbox, owner, database }) => {
    await bake(log, true);
    const lines = (count: number) => fileOf(Array.from({ length: count }, () => lineOf()));
    await importText(owner, lines(20));
    await importText(owner, lines(3), { publish: true });
    const positions = async () => (await outbox.page(0, 100)).map(({ position }) => position);
    assert.equal(await positions(), [1, 2, 3, 4, 26, 27, 28]);
    assert.is((await pending(database)).length, 7);
    assert.is((await readOutboxBacklog(database)).messages, 7);
    const imported = await Promise.all([3, 4, 10, 25, 26].map((from) => outbox.importedTo(from)));
    assert.equal(imported, [3, 24, 24, 25, 26]);
  }));

test('the record of an import that is marked for publishing is not passed', () =>
  withOutbox(async ({ owner, outbox }) => {
    const recorder = {
      ...testRecorder,
      recordOf: (message: SystemMessage) => ({ ...testRecorder.recordOf(message), publish: true }),
    };
    for (let n = 0; n < 2; n++) await importText(owner, fileOf([lineOf(), lineOf()]), { recorder });
    assert.equal(await owner.rows({ text: 'SELECT low, high FROM svc_imports' }), [['1', '5']]);
    assert.equal(await Promise.all([0, 3].map((from) => outbox.importedTo(from))), [2, 5]);
    assert.equal(
      (await outbox.page(0, 9)).map(({ position }) => position),
      [3, 6],
    );
  }));
