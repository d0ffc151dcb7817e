import * as assert from 'uvu/assert';
import { AuditMode } from '../../contracts/audit.js';
import { hide, redactObject } from '../../contracts/redaction.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { verifyChain } from '../audit/verify-chain.js';
import { verifyEvents } from '../audit/verify-events.js';
import { connect } from '../database/connect.js';
import { ForeignStore, inbound } from '../testing/foreign-events.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import { auditReceivedEvents } from './audit-received-event.js';
import { classifyMessage } from './classify-message.js';
import { postgresInbox } from './postgres-inbox.js';
import type { ReceivedEnvelope } from './read-envelope.js';

const test = suite('audit received event');

const leaseMs = 60_000;
class Baked {}

function policyOf(options = new SystemEventOptions().enableEventAudit()): AuditPolicy {
  const policy = new AuditPolicy(options);
  policy.redact(Baked, (message) => redactObject(message, { pin: hide }));
  return policy;
}

const receiver = async (migrated: MigratedDatabase, policy = policyOf(), coversAppends = true) => {
  const inbox = postgresInbox(migrated.connect(), newUuid(), 'here');
  await inbox.acquireLease(leaseMs);
  const wanted = {
    store: newUuid(),
    types: new Set(['Baked']),
    filter: { shouldReceiveFromTransport: () => true },
    audit: auditReceivedEvents({ policy, coversAppends }),
  };
  return (...envelopes: ReceivedEnvelope[]) => {
    const events = envelopes.flatMap((envelope) => {
      const classified = classifyMessage(inbound(envelope), wanted);
      return classified.is === 'event' ? [classified.event] : [];
    });
    return inbox.storeEvents(events, leaseMs);
  };
};

const auditsText = `SELECT data ->> 'auditReason', data -> 'scope', data ->> 'originalEventId',
    data ->> 'originalStreamPosition', data -> 'originalBody', host
  FROM svc_system_events WHERE event_type = 'EventAudited' ORDER BY stream_position`;

test('a received event has one audit here, which names its store and hides what is sensitive', () =>
  withMigratedDatabase(async (migrated) => {
    const [receive, database, bakery] = [await receiver(migrated), migrated.connect(), new ForeignStore()];
    const stream = newUuid();
    const scope = { tenantId: 'acme', origin: 'invented' };
    const first = bakery.event(stream, { payload: { loaves: 1, pin: '1234' }, scope });
    const second = bakery.event(stream, { occurredAt: '2026-03-01T09:30:00.123456Z', traceparent: '00-1' });
    assert.equal(await receive(first, second), ['stored', 'stored']);
    assert.equal(await receive(first), ['duplicate']);
    const rows = (await database.rows({ text: auditsText })).map(([reason, held, ...rest]) => [
      reason,
      JSON.parse(held ?? 'null') as unknown,
      ...rest,
    ]);
    assert.equal(rows, [
      [
        'received',
        { tenantId: 'acme', origin: bakery.id },
        first.messageId,
        '1',
        '{"loaves":1,"pin":"[redacted]"}',
        'here',
      ],
      ['received', { origin: bakery.id }, second.messageId, '2', '{"loaves":2}', 'here'],
    ]);
    assert.is((await verifyChain(database)).ok, true);
    const { ok, compared, received, unaudited, unauditedReceived } = await verifyEvents(database);
    assert.equal([ok, compared, received, unaudited, unauditedReceived], [true, 0, 2, {}, 0]);
  }));

test('a received event whose time is finer than PostgreSQL keeps equals its audit', () =>
  withMigratedDatabase(async (migrated) => {
    const [receive, bakery] = [await receiver(migrated), new ForeignStore()];
    const fractions = ['9999999', '1239995', '1239994', '1234567', '999999499'];
    const times = fractions.map((fraction) => `2026-03-01T09:30:59.${fraction}+01:00`);
    await receive(...times.map((occurredAt) => bakery.event(newUuid(), { occurredAt })));
    const { received, faults } = await verifyEvents(migrated.connect());
    assert.equal([received, faults], [times.length, []]);
  }));

test('a received event that was altered or deleted differs from its audit', () =>
  withMigratedDatabase(async (migrated) => {
    const [receive, database, bakery] = [await receiver(migrated), migrated.connect(), new ForeignStore()];
    const stream = newUuid();
    await receive(bakery.event(stream), bakery.event(stream), bakery.event(stream));
    const owner = await connect(migrated.url);
    await owner.query('SET session_replication_role = replica');
    await owner.query(`UPDATE svc_events SET data = '{"loaves":9}' WHERE stream_position = 1`);
    await owner.query(`UPDATE svc_events SET host = 'another' WHERE stream_position = 2`);
    await owner.query('DELETE FROM svc_events WHERE stream_position = 3');
    await owner.end();
    const { ok, altered, deleted, faults } = await verifyEvents(database);
    assert.equal([ok, altered, deleted], [false, 2, 1]);
    assert.equal(
      faults.map(({ differs }) => differs),
      ['data/loaves', 'metadata/host', undefined],
    );
  }));

test('an event of our own is not taken for the received one with the same id', () =>
  withMigratedDatabase(async (migrated) => {
    const [receive, database, bakery] = [await receiver(migrated), migrated.connect(), new ForeignStore()];
    const event = bakery.event(newUuid());
    await receive(event);
    const { store: _, streamPosition: __, ...own } = event;
    await migrated.openStore('here').append(newUuid(), { ...own, payload: { other: true } });
    const { ok, received, unaudited } = await verifyEvents(database);
    assert.equal([ok, received, unaudited], [true, 1, { Baked: 1 }]);
  }));

for (const [when, options, covers] of [
  ['events are not audited', new SystemEventOptions(), true],
  ['the mode does not cover it', new SystemEventOptions().enableEventAudit(), true],
  ['the event store is not decorated', new SystemEventOptions().enableEventAudit(), false],
] as const)
  test(`no audit of a received event when ${when}`, () =>
    withMigratedDatabase(async (migrated) => {
      if (when === 'the mode does not cover it') options.auditMode = AuditMode.OptIn;
      const receive = await receiver(migrated, policyOf(options), covers);
      assert.equal(await receive(new ForeignStore().event(newUuid())), ['stored']);
      const database = migrated.connect();
      assert.equal(await database.rows({ text: auditsText }), []);
      assert.is((await verifyEvents(database)).unauditedReceived, 1);
    }));
