import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { classifyMessage } from '../inbox/classify-message.js';
import type { ReceivedEnvelope } from '../inbox/read-envelope.js';
import { postgresOutbox } from '../outbox/postgres-outbox.js';
import { collect } from '../kit/collect.js';
import { inbound } from '../testing/foreign-events.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import { SystemEventTransportFilter } from '../transport/system-event-filter.js';
import { verifyChain } from './verify-chain.js';

const test = suite('audit time in the store');

const long = '2020-01-01T00:00:00Z';
const audit = (messageType: string) => ({
  envelope: {
    messageId: newUuid(),
    messageType,
    payload: { id: newUuid(), commandBody: { timestamp: 'noon' }, timestamp: long, auditLevel: 'Info' },
    timestamp: long,
    v: 1,
  },
  publish: true,
});

const withAudits = (body: (database: Database, migrated: MigratedDatabase) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async (migrated) => {
    const records = [audit('EventAudited'), audit('CommandAudited')];
    await migrated.openStore().commit({ events: [], records, expected: new Map() });
    await body(migrated.connect(), migrated);
  });

const timesIn = (messages: readonly Pick<StoredEvent, 'payload'>[]) =>
  messages.map(({ payload }) => (payload as { readonly timestamp?: string }).timestamp);

test('the text of an audit has no time; readers and the view have the time at which it was recorded', () =>
  withAudits(async (database, migrated) => {
    const rows = await database.rows({
      text: `SELECT (e.data ->> 'timestamp'), (s.data ->> 'timestamp')::timestamptz = s.recorded_at
        FROM svc_system_events e JOIN svc_system_stream s USING (stream_position) ORDER BY stream_position`,
    });
    assert.equal(rows, [
      [null, 't'],
      [null, 't'],
    ]);
    const store = migrated.openStore();
    const read = await collect(store.read(SystemEventStreams.streamId));
    assert.equal(
      timesIn(read),
      read.map(({ recordedAt }) => recordedAt),
    );
    assert.equal(timesIn(await collect(store.readAll({ after: 0 }))), timesIn(read));
    assert.ok((await verifyChain(database)).ok);
  }));

test('a message carries the time, and its receiver can restore the stored text', () =>
  withAudits(async (database) => {
    const store = newUuid();
    const sent = await postgresOutbox(database, newUuid(), store).page(0, 3);
    const envelopes = sent.map(({ envelope }) => envelope);
    assert.equal(
      timesIn(envelopes),
      envelopes.map(({ recordedAt }) => recordedAt),
    );
    const filter = new SystemEventTransportFilter(new SystemEventOptions().broadcast());
    const wanted = { store: newUuid(), types: new Set<string>(), filter };
    const stored = await database.rows({
      text: 'SELECT data FROM svc_system_events ORDER BY stream_position',
    });
    const received = sent.map(({ envelope }) =>
      classifyMessage(inbound(envelope as ReceivedEnvelope), wanted),
    );
    assert.equal(
      received.map((verdict) => (verdict.is === 'record' ? [verdict.record.data] : verdict)),
      stored,
    );
  }));
