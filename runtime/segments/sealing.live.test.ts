import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../audit/verify-chain.js';
import type { Database } from '../database/database.js';
import { collect } from '../kit/collect.js';
import { execute } from '../kit/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { testRecorder, useSegmentsOf } from '../testing/small-segments.js';
import { sealSegments } from './seal-segments.js';

const test = suite('sealing');

const envelope = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: { text: 'ü' },
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

const states = async (database: Database): Promise<string> =>
  (await database.rows({ text: 'SELECT state FROM svc_segments ORDER BY low' })).join(' ');

test('a full segment is sealed once, with its digests in the chain, however many hosts try', () =>
  withMigratedDatabase(async ({ url, openStore, connect }) => {
    await useSegmentsOf(url, 10);
    const store = openStore();
    for (let n = 0; n < 8; n++) await store.append(newUuid(), envelope());
    const database = connect();
    assert.equal(await sealSegments(database, testRecorder), [], 'it is not full');
    for (let n = 0; n < 14; n++) await store.append(newUuid(), envelope());
    const hosts = [connect(), connect(), connect()];
    const sealed = (await Promise.all(hosts.map((host) => sealSegments(host, testRecorder)))).flat();
    while ((await sealSegments(database, testRecorder)).length > 0);
    assert.is(await states(database), 'sealed sealed open open');
    const records = await collect(store.read('00000000-0000-0000-0000-000000000001'));
    assert.equal(
      records.map(({ messageType, payload }) => [messageType, (payload as { low: number }).low]),
      [
        ['SegmentSealed', 0],
        ['SegmentSealed', 10],
      ],
    );
    for (const { low, high, events } of sealed) assert.equal([high, events], [low + 10, low === 0 ? 9 : 10]);
    assert.is((await verifyChain(database)).ok, true);
  }));

test('a stream goes on where its sealed segments ended, also when none is recorded', () =>
  withMigratedDatabase(async ({ url, openStore, connect }) => {
    await useSegmentsOf(url, 4);
    const [store, database, stream] = [openStore(), connect(), newUuid()];
    for (let n = 1; n <= 19; n++) {
      await store.append(stream, envelope(), { expectedPosition: n - 1 });
      await sealSegments(database, { host: 'test' });
    }
    assert.is(await states(database), 'sealed sealed sealed sealed sealed open open');
    assert.equal(await database.rows({ text: 'SELECT position, first_global FROM svc_stream_heads' }), [
      ['19', '1'],
    ]);
  }));

test('behind sealed segments a flush of one event goes the short way, which leaves no row of its answer', () =>
  withMigratedDatabase(async ({ url, openStore, connect }) => {
    await useSegmentsOf(url, 10);
    const [store, database, stream] = [openStore(), connect(), newUuid()];
    const answers = { text: 'SELECT count(*) FROM svc_flushes' };
    for (let n = 1; n <= 12; n++) await store.append(stream, envelope(), { expectedPosition: n - 1 });
    assert.is((await sealSegments(database, testRecorder)).length, 1);
    // Ids of the first ten minutes may be in a sealed segment.
    await execute(
      url,
      'UPDATE svc_segments SET ids_from = svc_first_id(prev_at); SELECT svc_show_open_segment()',
    );
    const before = await database.rows(answers);
    for (let n = 13; n <= 15; n++) await store.append(stream, envelope(), { expectedPosition: n - 1 });
    assert.equal(await database.rows(answers), before);
    assert.is(await store.lastPosition(stream), 15);
    assert.is((await verifyChain(database)).ok, true);
  }));

test('every segment refuses UPDATE, DELETE and TRUNCATE, also when it is named itself', () =>
  withMigratedDatabase(async ({ url, openStore, connect }) => {
    await useSegmentsOf(url, 4);
    const [store, owner] = [openStore(), connect({ owner: true })];
    for (let n = 0; n < 10; n++) await store.append(newUuid(), envelope());
    await sealSegments(connect(), testRecorder);
    const tables = await owner.rows({
      text: `SELECT c.oid::regclass, EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'svc_append_only'
          AND t.tgenabled = 'O' AND t.tgtype = 58)
        FROM pg_class c WHERE c.oid IN ('svc_events'::regclass, 'svc_system_events'::regclass)
          OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent IN ('svc_events'::regclass, 'svc_system_events'::regclass))`,
    });
    assert.ok(tables.length >= 10);
    for (const [table, isProtected] of tables) {
      assert.is(isProtected, 't', table ?? '');
      for (const sql of [`DELETE FROM ${table}`, `UPDATE ${table} SET host = 'x'`, `TRUNCATE ${table}`]) {
        const refused = await execute(url, sql).then(() => 'done', String);
        assert.match(refused, /append-only/, sql);
      }
    }
  }));

test('the role of the runtime cannot reach a segment, nor make one out of turn', () =>
  withMigratedDatabase(async ({ connect }) => {
    const runtime = connect();
    for (const text of [
      'SELECT FROM svc_events_0',
      'INSERT INTO svc_segments(low, high, gathered, indexed) VALUES (-9, 0, 0, 0)',
      'SELECT svc_make_segments_to(1000000000)',
      'SELECT svc_show_open_segment()',
      'SELECT FROM svc_open_events',
      'DELETE FROM svc_stream_heads',
    ])
      assert.match(await runtime.rows({ text }).then(() => 'done', String), /permission denied/, text);
  }));
