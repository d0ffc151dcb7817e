import * as assert from 'uvu/assert';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { fileOf, importText, lineOf } from '../testing/imported-events.js';
import { bake, envelope, pending, store, withOutbox } from '../testing/outbox-scene.js';
import { testRecorder } from '../testing/small-segments.js';
import { destinationOf } from '../transport/subjects.js';
import { readOutboxBacklog } from './backlog.js';
import type { PendingMessage } from './outbox.js';

const test = suite('postgres outbox');

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
