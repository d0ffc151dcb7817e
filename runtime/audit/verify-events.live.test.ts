import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { connect } from '../database/connect.js';
import type { Database } from '../database/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { AuditingEventStore } from './auditing-event-store.js';
import { Auditing } from './auditing.js';
import { verifyEvents } from './verify-events.js';

const test = suite('verify events');

const stream = newUuid();
const baked = (loaves: number, messageType = 'Baked'): Envelope => ({
  messageId: newUuid(),
  messageType,
  payload: { loaves, pin: '1234', list: [{ a: null }] },
  timestamp: '2020-01-01T00:00:00Z',
  correlationId: 'monday',
  scope: { tenantId: 'acme' },
  v: 1,
});

interface Scene {
  readonly database: Database;
  readonly events: readonly Envelope[];
  tamper(sql: string): Promise<void>;
}

/** Four audited events whose pin is redacted, and two without an audit. */
const withBakery = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async (migrated) => {
    const options = new SystemEventOptions().enableEventAudit();
    const auditing = new Auditing(options);
    class Baked {}
    auditing.policy.redact(Baked, (message) => ({ ...(message as object), pin: '[redacted]' }));
    const inner = migrated.openStore();
    const store = new AuditingEventStore(inner, { queue: () => undefined }, options, auditing);
    const events = [baked(1), baked(2), baked(3), baked(4, 'Sold')];
    await inner.append(newUuid(), [baked(7, 'Peeked'), baked(8, 'Peeked')]);
    await store.append(stream, events.slice(0, 2));
    await store.append(stream, events.slice(2));
    const tamper = async (sql: string) => {
      const owner = await connect(migrated.url);
      await owner.query('SET session_replication_role = replica');
      await owner.query(sql);
      await owner.end();
    };
    await body({ database: migrated.connect(), events, tamper });
  });

test('events that equal their audits are counted, and those without an audit are counted by type', () =>
  withBakery(async ({ database }) => {
    assert.equal(await verifyEvents(database), {
      ok: true,
      compared: 4,
      received: 0,
      altered: 0,
      deleted: 0,
      redacted: 0,
      faults: [],
      gaps: 0,
      unaudited: { Peeked: 2 },
      unauditedReceived: 0,
    });
  }));

test('an event inserted by hand leaves a gap before it, at any position', () =>
  withBakery(async ({ database, tamper }) => {
    await tamper(`INSERT INTO svc_events (global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
      SELECT 1000, stream_id, 99, gen_random_uuid(), event_type, data, metadata, host, occurred_at, recorded_at FROM svc_events LIMIT 1`);
    const { ok, gaps } = await verifyEvents(database);
    assert.is(ok, false);
    assert.ok(gaps > 900);
  }));

test('an event reassigned to another store counts as deleted', () =>
  withBakery(async ({ database, tamper, events: [first] }) => {
    await tamper(`UPDATE svc_events SET origin = 7 WHERE event_id = '${first?.messageId ?? ''}'`);
    const { deleted, faults } = await verifyEvents(database);
    assert.equal([deleted, faults[0]?.eventId], [1, first?.messageId]);
  }));

for (const [what, sql, differs] of [
  ['body', `data = '{"loaves":9,"pin":"1234","list":[{"a":null}]}'`, 'data/loaves'],
  ['hidden value', `data = replace(data::text, '1234', '9999')::json`, 'data/pin'],
  ['salt', `metadata = replace(metadata::text, '"salt":"', '"salt":"0')::json`, 'data/pin'],
  ['type', `event_type = 'Burnt'`, 'type'],
  ['place', `stream_position = 99`, 'position'],
  [
    'scope',
    `metadata = '{"correlationId":"monday","scope":{"tenantId":"other"},"v":1}'`,
    'metadata/scope/tenantId',
  ],
  ['time', `recorded_at = recorded_at - interval '1 day'`, 'metadata/at'],
  ['host', `host = 'another'`, 'metadata/host'],
] as const) {
  test(`an event whose ${what} was altered is named, with its position and the difference`, () =>
    withBakery(async ({ database, events, tamper }) => {
      await tamper(`UPDATE svc_events SET ${sql} WHERE stream_id = '${stream}' AND stream_position = 2`);
      const { ok, altered, deleted, faults } = await verifyEvents(database);
      assert.equal([ok, altered, deleted], [false, 1, 0]);
      const fault = { eventType: 'Baked', streamId: stream, streamPosition: 2, auditedAt: 2 };
      assert.equal(faults, [{ what: 'altered', eventId: events[1]?.messageId, ...fault, differs }]);
    }));
}

test('two events that were swapped are both named', () =>
  withBakery(async ({ database, tamper }) => {
    const swapped = `stream_id = '${stream}' AND abs(stream_position) IN (2, 3)`;
    await tamper(`UPDATE svc_events SET stream_position = -stream_position WHERE ${swapped};
      UPDATE svc_events SET stream_position = 5 + stream_position WHERE ${swapped}`);
    const { ok, altered, faults } = await verifyEvents(database);
    assert.equal([ok, altered, faults.map(({ differs }) => differs)], [false, 2, ['position', 'position']]);
  }));

for (const [what, more] of [
  ['unknown', '"payload":{"loaves":9}'],
  ['sealed', '"sealed":["loaves"]'],
] as const)
  test(`${what} metadata that was added to an event is noticed`, () =>
    withBakery(async ({ database, events, tamper }) => {
      const added = `metadata = concat(left(metadata::text, -1), ',${more}}')::json`;
      await tamper(`UPDATE svc_events SET ${added} WHERE event_type = 'Sold'`);
      const { altered, faults } = await verifyEvents(database);
      assert.equal([altered, faults[0]?.eventId], [1, events[3]?.messageId]);
      assert.is(faults[0]?.differs, `metadata/${what === 'sealed' ? what : 'payload'}`);
    }));

test('a true copy of an event does not hide that the event was altered', () =>
  withBakery(async ({ database, events, tamper }) => {
    const place = `stream_id = '${stream}' AND stream_position = 4`;
    const [[constraints]] = (await database.rows({
      text: `SELECT string_agg('DROP CONSTRAINT ' || conname, ', ') FROM pg_constraint
        WHERE conrelid = 'svc_events_0'::regclass AND contype = 'u'`,
    })) as [[string]];
    await tamper(`ALTER TABLE svc_events_0 ${constraints}; CREATE TABLE copied AS SELECT * FROM svc_events WHERE ${place};
      UPDATE svc_events SET data = replace(data::text, ':4', ':9')::json WHERE ${place};
      UPDATE copied SET global_position = 1 + (SELECT max(global_position) FROM svc_system_events);
      INSERT INTO svc_events SELECT * FROM copied`);
    const altered = await verifyEvents(database);
    assert.equal([altered.altered, altered.gaps], [1, 0]);
    assert.equal(
      [altered.faults[0]?.eventId, altered.faults[0]?.differs],
      [events[3]?.messageId, 'data/loaves'],
    );
    await tamper(`UPDATE svc_events e SET data = copied.data FROM copied WHERE e.event_id = copied.event_id`);
    assert.is((await verifyEvents(database)).faults[0]?.differs, 'position');
  }));

test('the version, the trace and the stated time of an event are compared with its audit', () =>
  withMigratedDatabase(async (migrated) => {
    const options = new SystemEventOptions().enableEventAudit();
    const store = new AuditingEventStore(migrated.openStore(), { queue: () => undefined }, options);
    const [database, owner] = [migrated.connect(), await connect(migrated.url)];
    const streamId = newUuid();
    const traced = { ...baked(1), traceparent: '00-1', tracestate: 'vendor=1', v: 2 };
    await store.append(streamId, traced, { occurredAt: '2020-01-02T03:04:05.678Z' });
    assert.is((await verifyEvents(database)).ok, true);
    await owner.query('SET session_replication_role = replica');
    const found = [];
    for (const change of [
      `metadata = replace(metadata::text, '"v":2', '"v":1')::json`,
      `metadata = replace(metadata::text, 'vendor=1', 'vendor=2')::json`,
      `metadata = replace(metadata::text, '00-1', '00-2')::json`,
      `occurred_at = occurred_at + interval '1 millisecond'`,
    ]) {
      await owner.query(`UPDATE svc_events SET ${change}`);
      found.push((await verifyEvents(database)).faults[0]?.differs);
      await owner.query(`UPDATE svc_events SET occurred_at = '2020-01-02T03:04:05.678Z', metadata = replace(replace(replace(
        metadata::text, '"v":1', '"v":2'), 'vendor=2', 'vendor=1'), '00-2', '00-1')::json`);
    }
    await owner.end();
    const names = ['v', 'tracestate', 'traceparent', 'occurredAt'];
    assert.equal(
      found,
      names.map((name) => `metadata/${name}`),
    );
  }));

test('an event that was deleted is named by its audit, and leaves a gap', () =>
  withBakery(async ({ database, events, tamper }) => {
    await tamper(`DELETE FROM svc_events WHERE stream_id = '${stream}' AND stream_position = 4`);
    const { ok, deleted, gaps, faults } = await verifyEvents(database);
    assert.equal([ok, deleted, gaps], [false, 1, 1]);
    const [fault] = faults;
    assert.equal([fault?.what, fault?.eventId, fault?.auditedAt], ['deleted', events[3]?.messageId, 4]);
  }));

test('an event without an audit that was deleted leaves a gap', () =>
  withBakery(async ({ database, tamper }) => {
    await tamper(`DELETE FROM svc_events WHERE event_type = 'Peeked' AND stream_position = 1`);
    const { ok, deleted, gaps, unaudited } = await verifyEvents(database);
    assert.equal([ok, deleted, gaps, unaudited], [false, 0, 1, { Peeked: 1 }]);
  }));

test('all faults are counted and the first hundred are named', () =>
  withMigratedDatabase(async (migrated) => {
    const options = new SystemEventOptions().enableEventAudit();
    const store = new AuditingEventStore(migrated.openStore(), { queue: () => undefined }, options);
    await store.append(
      newUuid(),
      Array.from({ length: 150 }, (_, n) => baked(n)),
    );
    const owner = await connect(migrated.url);
    await owner.query(`SET session_replication_role = replica; UPDATE svc_events SET data = '{}'`);
    await owner.end();
    const { altered, faults } = await verifyEvents(migrated.connect());
    assert.equal([altered, faults.length], [150, 100]);
  }));
