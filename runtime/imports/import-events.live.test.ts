import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../audit/verify-chain.js';
import { verifyEvents } from '../audit/verify-events.js';
import type { Database } from '../database/database.js';
import { execute } from '../kit/database.js';
import { collect } from '../kit/collect.js';
import { fileOf, importText, lineOf } from '../testing/imported-events.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import { useSegmentsOf } from '../testing/small-segments.js';
import { exportEvents } from './export-events.js';
import { verifyImports } from './verify-imports.js';

const test = suite('import of events');

const records = (database: Database) =>
  database.rows({
    text: `SELECT data ->> 'count', data ->> 'from', data ->> 'to', data ->> 'actor' FROM svc_system_events
      WHERE event_type = 'EventsImported' ORDER BY stream_position`,
  });

const columns =
  'stream_id, stream_position, event_id, event_type, occurred_at, host, metadata::text, data::text';

const happened = () => ({
  messageId: newUuid(),
  messageType: 'Baked',
  payload: { loaves: 1 },
  timestamp: '2026-03-01T09:30:00Z',
  v: 1 as const,
});

/** The log has no gap, its chain is intact, and every import is as it was recorded. */
async function mustBeWhole({ connect }: MigratedDatabase): Promise<void> {
  const owner = connect({ owner: true });
  assert.ok((await verifyChain(owner)).ok);
  const { ok, gaps } = await verifyEvents(owner);
  assert.equal([ok, gaps], [true, 0]);
  const { ok: isSame, unrecorded } = await verifyImports(owner);
  assert.equal([isSame, unrecorded], [true, 0]);
  const gapsInStreams = await owner.rows({
    text: `SELECT stream_id FROM svc_events WHERE origin = 0 GROUP BY stream_id HAVING max(stream_position) <> count(*)`,
  });
  assert.equal(gapsInStreams, []);
}

test('ids, times and positions are kept, and one EventsImported covers up to 10,000 events', () =>
  withMigratedDatabase(async (migrated) => {
    const owner = migrated.connect({ owner: true });
    const streams = Array.from({ length: 300 }, () => newUuid());
    const lines = Array.from({ length: 12_345 }, (_, n) =>
      lineOf({
        streamId: streams[n % 300] ?? '',
        data: { n, text: 'ü\u2028"\\' },
        metadata: { v: 2, scope: { tenantId: 'acme' } },
      }),
    );
    assert.equal(await importText(owner, fileOf(lines)), { imported: 12_345, present: 0 });
    assert.equal(await records(owner), [
      ['10000', '1', '10000', 'ann'],
      ['2345', '10002', '12346', 'ann'],
    ]);
    const [[first] = []] = await owner.rows({
      text: `SELECT to_json(e) FROM (SELECT ${columns}, imported, publish FROM svc_events WHERE global_position = 302) e`,
    });
    assert.equal(JSON.parse(first ?? ''), {
      stream_id: streams[1],
      stream_position: 2,
      event_id: lines[301]?.eventId,
      event_type: 'Baked',
      occurred_at: '2025-01-02T03:04:05.000006+00:00',
      host: 'import',
      metadata: '{"v":2,"scope":{"tenantId":"acme"}}',
      data: JSON.stringify(lines[301]?.data),
      imported: true,
      publish: false,
    });
    assert.equal(
      await owner.rows({ text: "SELECT 1 FROM svc_system_events WHERE event_type = 'EventAudited'" }),
      [],
    );
    await mustBeWhole(migrated);
  }));

test('the same file again changes nothing, and a longer one adds what is new', () =>
  withMigratedDatabase(async (migrated) => {
    const owner = migrated.connect({ owner: true });
    const lines = Array.from({ length: 50 }, (_, n) => lineOf({ data: { n } }));
    await importText(owner, fileOf(lines));
    assert.equal(await importText(owner, fileOf(lines)), { imported: 0, present: 50 });
    assert.is((await records(owner)).length, 1);
    const next = lineOf({ streamId: lines[0]?.streamId ?? '' });
    assert.equal(await importText(owner, fileOf([...lines, next])), { imported: 1, present: 50 });
    assert.is((await records(owner)).length, 2);
    await mustBeWhole(migrated);
  }));

test('an export is imported into another store, row by row the same', () =>
  withMigratedDatabase(async (from) => {
    const streams = [newUuid(), newUuid()];
    const store = from.openStore('north');
    for (let n = 0; n < 20; n++)
      await store.append(
        streams[n % 2] ?? '',
        [{ ...happened(), correlationId: 'c', scope: { userId: 'ada' } }],
        {
          ...(n > 10 && { occurredAt: `2020-01-01T00:00:${n}Z` }),
        },
      );
    const rows = (database: Database) =>
      database.rows({ text: `SELECT ${columns}, late FROM svc_events ORDER BY global_position` });
    const text = (await collect(exportEvents(from.connect()))).join('');
    await withMigratedDatabase(async (to) => {
      const owner = to.connect({ owner: true });
      assert.equal(await importText(owner, text), { imported: 20, present: 0 });
      assert.equal(await rows(owner), await rows(from.connect()));
      assert.ok((await rows(owner)).some((row) => row.at(-1) === 't'));
      await mustBeWhole(to);
    });
    assert.equal(await importText(from.connect({ owner: true }), text), { imported: 0, present: 20 });
  }));

test('a refused line is named, and its chunk is not stored', () =>
  withMigratedDatabase(async (migrated) => {
    const owner = migrated.connect({ owner: true });
    const one = lineOf();
    await importText(owner, fileOf([one]));
    for (const [line, why] of [
      [{ ...one, data: { loaves: 4 } }, /^Line 3: event .* is stored already, with a different data\.$/],
      [
        lineOf({ streamId: one.streamId, streamPosition: 3 }),
        /^Line 3: the next position of stream .* is 2, not 3/,
      ],
    ] as const)
      await importText(owner, fileOf([lineOf(), line])).then(
        () => assert.unreachable(),
        (error: Error) => assert.match(error.message, why),
      );
    assert.equal(await owner.rows({ text: 'SELECT count(*) FROM svc_events' }), [['1']]);
    await mustBeWhole(migrated);
  }));

test('hosts append to the streams of an import meanwhile: no position is taken twice', () =>
  withMigratedDatabase(async (migrated) => {
    const owner = migrated.connect({ owner: true });
    const streams = Array.from({ length: 50 }, () => newUuid());
    const lines = Array.from({ length: 1_000 }, (_, n) => lineOf({ streamId: streams[n % 50] ?? '' }));
    const store = migrated.openStore();
    let appended = 0;
    const run = { isOver: false };
    const appending = async () => {
      for (; !run.isOver; appended++) {
        await store.append(streams[appended % 50] ?? '', happened());
        await setTimeout(3);
      }
    };
    const traffic = appending();
    try {
      assert.equal(await importText(owner, fileOf(lines)), { imported: 1_000, present: 0 });
    } finally {
      run.isOver = true;
      await traffic;
    }
    assert.ok(appended > 0);
    assert.equal(await owner.rows({ text: 'SELECT count(*) FROM svc_events' }), [[String(1_000 + appended)]]);
    await mustBeWhole(migrated);
  }));

test('an import fills several segments', () =>
  withMigratedDatabase(async (migrated) => {
    await useSegmentsOf(migrated.url, 100);
    const owner = migrated.connect({ owner: true });
    const lines = Array.from({ length: 1_000 }, (_, n) =>
      lineOf({ streamId: `0190b5d4-0000-7000-8000-00000000000${n % 7}` }),
    );
    await importText(owner, fileOf(lines));
    assert.equal(await importText(owner, fileOf(lines)), { imported: 0, present: 1_000 });
    await mustBeWhole(migrated);
    await migrated.openStore().append(newUuid(), happened());
    await mustBeWhole(migrated);
  }));

test('of two imports at once, one is refused', () =>
  withMigratedDatabase(async (migrated) => {
    const owner = migrated.connect({ owner: true });
    const session = await owner.session();
    await session.rows({
      text: `SELECT pg_advisory_lock(hashtext('svc'), hashtext('import ' || current_schema()))`,
    });
    await importText(migrated.connect({ owner: true }), fileOf([lineOf()])).then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, /^Another import into this store is running/),
    );
    session.release(true);
  }));

test('an imported event that was altered, deleted or added is found by the digest of its EventsImported', () =>
  withMigratedDatabase(async ({ connect, url }) => {
    const owner = connect({ owner: true });
    await importText(owner, fileOf(Array.from({ length: 10 }, () => lineOf())));
    const faults = async () => (await verifyImports(owner)).faults;
    assert.equal(await faults(), []);
    const fault = [{ from: 1, to: 10, recordedAt: 1 }];
    const alter = (sql: string) => execute(url, `SET session_replication_role = replica; ${sql}`);
    for (const set of [
      `data = '{"loaves":4}'`,
      `occurred_at = occurred_at + interval '1 microsecond'`,
      'stream_position = 2',
      `event_type = 'Burnt'`,
      `metadata = '{"v":1,"scope":{}}'`,
      'imported = false',
    ]) {
      await alter(
        `CREATE TABLE kept AS SELECT * FROM svc_events; UPDATE svc_events SET ${set} WHERE global_position = 4`,
      );
      assert.equal(await faults(), fault, set);
      await alter('DELETE FROM svc_events; INSERT INTO svc_events SELECT * FROM kept; DROP TABLE kept');
      assert.equal(await faults(), []);
    }
    await alter('DELETE FROM svc_events WHERE global_position = 10');
    assert.equal(await faults(), fault);
  }));

test('late events are folded where they happened: their streams are rewound', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const owner = connect({ owner: true });
    const stream = newUuid();
    await openStore().append(stream, happened());
    await owner.rows({
      text: `INSERT INTO svc_perspectives(name, table_name, types, by_stream, origin, registered_at, hash)
        VALUES ('loaves', 'svc_per_loaves', '{Baked}', true, 'own', now(), '')`,
    });
    await importText(owner, fileOf([lineOf({ streamId: stream }), lineOf()]));
    assert.equal(await owner.rows({ text: 'SELECT late FROM svc_events ORDER BY global_position' }), [
      ['f'],
      ['t'],
      ['f'],
    ]);
    assert.equal(await owner.rows({ text: 'SELECT stream_id, pending FROM svc_rewinds' }), [
      [stream, '{svc_per_loaves}'],
    ]);
  }));
