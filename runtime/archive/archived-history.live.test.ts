import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../audit/verify-chain.js';
import { verifyEvents } from '../audit/verify-events.js';
import { connect as connectTo } from '../database/connect.js';
import { openDatabase } from '../database/database.js';
import { postgresInbox } from '../inbox/postgres-inbox.js';
import { eventOf } from '../inbox/received-rows.js';
import { collect } from '../kit/collect.js';
import { execute } from '../kit/database.js';
import { withFolder } from '../kit/temporary-folder.js';
import { republish } from '../outbox/republish.js';
import { archiveAll, attachFrom } from '../testing/archived-store.js';
import { ForeignStore } from '../testing/foreign-events.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import { testRecorder, useSegmentsOf } from '../testing/small-segments.js';
import { sealSegments } from '../segments/seal-segments.js';
import { listSegments } from '../segments/list-segments.js';
import { ownLog } from '../trust/compare-heads.js';

const test = suite('archived history');

const happened = (messageType = 'Happened'): Envelope => ({
  messageId: newUuid(),
  messageType,
  payload: { text: 'ü' },
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

const withArchive = (
  body: (
    scene: MigratedDatabase & { archive(): Promise<number>; attach(low: number): Promise<unknown> },
  ) => Promise<void>,
): Promise<void> =>
  withMigratedDatabase((migrated) =>
    withFolder(async (folder) => {
      await useSegmentsOf(migrated.url, 10);
      const connections = { database: migrated.connect(), owner: migrated.connect({ owner: true }) };
      await body({
        ...migrated,
        archive: () => archiveAll(migrated.url, connections, folder),
        attach: (low) => attachFrom(connections, low),
      });
    }),
  );

const refusalOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Problem ? `${error.code}: ${error.detail}` : String(error)),
  );

test('reading a stream of which a part is archived is refused with the segments to attach, and never ends early', () =>
  withArchive(async ({ openStore, archive, attach }) => {
    const store = openStore();
    const [old, both, young] = [newUuid(), newUuid(), newUuid()];
    for (let n = 0; n < 6; n++) await store.append(old, happened());
    for (let n = 0; n < 12; n++) await store.append(both, happened());
    const to = await archive();
    await store.append(both, happened());
    await store.append(young, happened());
    const expected = `history-archived: The positions 0 to ${to - 1} are archived; to read them again: svc segments attach 0`;
    for (const ask of [
      () => collect(store.read(old)),
      () => collect(store.read(old, { from: 6 })),
      () => collect(store.read(both)),
      () => collect(store.read(both, { origin: 'all' })),
      () => collect(store.read(SystemEventStreams.streamId)),
      () => collect(store.readAll({ after: 0 })),
      () => collect(store.readAll({ after: 3, types: ['Happened'] })),
    ])
      assert.is(await refusalOf(ask()), expected);
    assert.equal(
      (await collect(store.read(both, { from: 13 }))).map(({ streamPosition }) => streamPosition),
      [13],
    );
    assert.is((await collect(store.read(old, { from: 7 }))).length, 0);
    assert.is((await collect(store.read(young))).length, 1);
    assert.is((await collect(store.read(newUuid()))).length, 0);
    assert.is((await collect(store.readAll({ after: to - 1, types: ['Happened'] }))).length, 2);
    assert.is((await collect(store.readAll({ after: 0, types: ['Unseen'] }))).length, 0);
    await attach(0);
    assert.is((await collect(store.read(old))).length, 6);
    assert.is((await collect(store.read(both))).length, 13);
    assert.is((await collect(store.readAll({ after: 0, types: ['Happened'] }))).length, 20);
  }));

test('a stream whose events are all archived continues at its position', () =>
  withArchive(async ({ openStore, archive, connect }) => {
    const [store, stream, database] = [openStore(), newUuid(), connect()];
    for (let n = 0; n < 12; n++) await store.append(stream, happened());
    // The archived part also has a record.
    await sealSegments(database, testRecorder);
    for (let n = 0; n < 10; n++) await store.append(newUuid(), happened());
    assert.is(await archive(), 20);
    assert.is(await store.lastPosition(stream), 12);
    assert.match(
      await refusalOf(store.append(stream, happened(), { expectedPosition: 0 })),
      'stream-conflict',
    );
    assert.equal((await store.append(stream, happened(), { expectedPosition: 12 })).positions, [13]);
    assert.is(await store.lastPosition(stream), 13);
    const report = await verifyChain(database);
    assert.ok(report.ok && report.archivedTo !== undefined);
    assert.is((await verifyEvents(database)).gaps, 0);
    assert.ok((await ownLog(database)).wholeFrom > 1);
  }));

test('a segment that was deleted and marked as archived breaks the chain', () =>
  withArchive(async ({ url, openStore, connect }) => {
    const store = openStore();
    for (let n = 0; n < 15; n++) await store.append(newUuid(), happened());
    const database = connect();
    await sealSegments(database, testRecorder);
    await execute(
      url,
      `ALTER TABLE svc_events DETACH PARTITION svc_events_0; ALTER TABLE svc_system_events DETACH PARTITION svc_system_events_0;
        UPDATE svc_segments SET state = 'archived' WHERE low = 0`,
    );
    assert.is((await verifyChain(database)).ok, false);
  }));

test('a received event whose position is archived is a duplicate, and the next one is stored', () =>
  withArchive(async ({ connect, archive }) => {
    const inbox = postgresInbox(connect(), newUuid());
    await inbox.acquireLease(60_000);
    const [bakery, stream] = [new ForeignStore(), newUuid()];
    const events = Array.from({ length: 20 }, () => bakery.event(stream));
    await inbox.storeEvents(events.map(eventOf), 60_000);
    await archive();
    const answers = await inbox.storeEvents([...events, bakery.event(stream)].map(eventOf), 60_000);
    assert.equal([new Set(answers.slice(0, 20)), answers[20]], [new Set(['duplicate']), 'stored']);
  }));

test('what a host has seen before it was archived counts as held, and is not published again', () =>
  withArchive(async ({ openStore, connect, archive }) => {
    const [store, database, first] = [openStore(), connect(), happened()];
    await store.append(newUuid(), first);
    for (let n = 0; n < 12; n++) await store.append(newUuid(), happened());
    await archive();
    assert.equal(await database.rows({ text: 'SELECT svc_holds_event(1, $1)', values: [first.messageId] }), [
      ['t'],
    ]);
    const by = { database, operator: { ...testRecorder, changedBy: 'ann' } };
    assert.match(await refusalOf(republish(by, 1)), 'history-archived: The positions 0 to');
  }));

test('a segment stays while it is young, or while something behind it still has to be read', () =>
  withArchive(async ({ url, openStore, connect, archive }) => {
    const [store, database] = [openStore(), connect()];
    for (let n = 0; n < 15; n++) await store.append(newUuid(), happened());
    await sealSegments(database, testRecorder);
    const why = async () => (await database.rows({ text: 'SELECT svc_archive_obstacle(0, 7)' }))[0]?.[0];
    assert.is(await why(), 'it was sealed less than 7 days ago');
    await execute(url, `UPDATE svc_segments SET sealed_at = sealed_at - interval '8 days'`);
    assert.is(await why(), 'outbox is at position 0');
    await execute(url, 'UPDATE svc_progress SET position = svc_head()');
    assert.is(await why(), 'its records are not in the search of the audit yet');
    await execute(url, 'UPDATE svc_segments SET indexed = high');
    for (const [waiting, reason] of [
      [
        `INSERT INTO svc_stuck_work(follower, key, position, state, attempts) VALUES ('outbox', '3', 3, 'parked', 1)`,
        '3 of outbox waits in svc stuck',
      ],
      [
        `INSERT INTO svc_stuck_work(follower, key, state, attempts) VALUES ('inbox', 'm-1', 'parked', 1)`,
        'm-1 of inbox waits in svc stuck',
      ],
      [
        `INSERT INTO svc_rebuilds(id, table_name, name, mode, streams, force) VALUES (gen_random_uuid(), 't', 'orders', 'BlueGreen', '{}', false)`,
        'orders is being rebuilt',
      ],
    ] as const) {
      await execute(url, waiting);
      assert.is(await why(), reason);
      await execute(url, 'DELETE FROM svc_stuck_work; DELETE FROM svc_rebuilds');
    }
    assert.is(await why(), null);
    assert.is(await archive(), 10);
    assert.equal(
      (await listSegments(database)).map(({ low, state, bytes }) => [low, state, bytes > 0]),
      [
        [0, 'archived', false],
        [10, 'open', true],
        [20, 'open', true],
      ],
    );
  }));

test('a transaction that reads the log for long is named; its segment has left, and the next run removes the tables', () =>
  withArchive(async ({ url, openStore, connect, archive }) => {
    for (let n = 0; n < 12; n++) await openStore().append(newUuid(), happened());
    const reader = await connectTo(url);
    const impatient = openDatabase({ url, statementTimeoutMs: 1_000 });
    try {
      await reader.query('BEGIN; SELECT FROM svc_events');
      const stopped = withFolder((folder) =>
        archiveAll(url, { database: connect(), owner: impatient }, folder),
      );
      assert.match(await refusalOf(stopped), 'Transactions that read the log for long keep the tables');
      await reader.query('COMMIT');
    } finally {
      await Promise.all([reader.end(), impatient.close()]);
    }
    assert.is(await archive(), 0);
    assert.equal(await connect().rows({ text: "SELECT to_regclass('svc_events_0')" }), [[null]]);
  }));
