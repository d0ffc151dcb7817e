import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { postgresInbox } from '../inbox/postgres-inbox.js';
import type { ReceivedEnvelope } from '../inbox/read-envelope.js';
import { eventOf } from '../inbox/received-rows.js';
import { ForeignStore } from '../testing/foreign-events.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { testRecorder, useSegmentsOf } from '../testing/small-segments.js';
import { sealSegments } from './seal-segments.js';

const test = suite('received events over segments');

const leaseMs = 60_000;

test('received events cross borders, and one that a sealed segment holds is a duplicate', () =>
  withMigratedDatabase(async ({ url, connect }) => {
    await useSegmentsOf(url, 8);
    const database = connect();
    const inbox = postgresInbox(database, newUuid());
    await inbox.acquireLease(leaseMs);
    const [bakery, stream] = [new ForeignStore(), newUuid()];
    const events = Array.from({ length: 30 }, () => bakery.event(stream));
    const keep = (received: readonly ReceivedEnvelope[]): Promise<readonly unknown[]> =>
      inbox.storeEvents(received.map(eventOf), leaseMs);
    assert.equal(new Set(await keep(events)), new Set(['stored']));
    await sealSegments(database, testRecorder);
    const [first] = events;
    assert.ok(first);
    const forged = { ...first, messageId: newUuid() };
    const more = [first, ...events.slice(20), forged, bakery.event(stream)];
    const answers = await keep(more);
    assert.equal(
      [new Set(answers.slice(0, 11)), ...answers.slice(11)],
      [new Set(['duplicate']), 'place-taken', 'stored'],
    );
    const rows = await database.rows({
      text: `SELECT count(*), max(stream_position), count(DISTINCT tableoid) >= 4 FROM svc_events WHERE origin <> 0`,
    });
    assert.equal(rows, [['31', '31', 't']]);
  }));
