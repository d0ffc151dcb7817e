import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import { newUuid } from '../../../../contracts/uuid.js';
import type { Database } from '../../../../runtime/database/database.js';
import { withMigratedDatabase } from '../../../../runtime/testing/migrated-database.js';
import { rebuiltRequest } from './rebuilt-request.js';
import { storedByRequest } from './stored-by-request.js';

const test = suite('records of a request');

const began = Date.parse('2026-01-01T00:00:00.000Z');
const at = (second: number): string => new Date(began + second * 1000).toISOString();

/** One event and one record per second, with a gap in the positions after each. */
async function fill(database: Database, seconds: number): Promise<void> {
  const metadata = `json_build_object('correlationId', 'c-' || n)`;
  const when = `$1::timestamptz + n * interval '1 second'`;
  await database.rows({
    text: `INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
      SELECT n * 3, $2::uuid, n, gen_random_uuid(), 'Rang', '{}', ${metadata}, 'h', ${when}, ${when} FROM generate_series(1, $3::int) n`,
    values: [at(0), newUuid(), seconds],
  });
  await database.rows({
    text: `INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, publish, digest, hash, host, recorded_at)
      SELECT n, n * 3 + 1, gen_random_uuid(), 'EventAudited', '{}', ${metadata}, false, '', '', 'h', ${when} FROM generate_series(1, $2::int) n`,
    values: [at(0), seconds],
  });
}

const foundAt = async (database: Database, second: number): Promise<readonly number[][]> => {
  const { events, records } = await storedByRequest(database, `c-${second}`, {
    startedAt: at(second),
    ms: 1,
  });
  return [events.map(({ position }) => position), records.map(({ position }) => position)];
};

test('the records of a request are found by its correlation id, anywhere in the log', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect({ owner: true });
    await fill(database, 500);
    for (const second of [1, 2, 249, 250, 499, 500]) {
      assert.equal(await foundAt(database, second), [[second * 3], [second]], String(second));
    }
  }));

test('in a busy log, so many records are searched and no more', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect({ owner: true });
    await fill(database, 100);
    const asked = { startedAt: at(10), ms: 60_000 };
    for (const [second, found] of [
      [30, 1],
      [60, 0],
    ] as const) {
      const { events, records } = await storedByRequest(database, `c-${second}`, asked, 120);
      assert.is(events.length, found, `event ${second}`);
      assert.is(records.length, 1, `record ${second}`);
    }
  }));

test('records of another time are not searched', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect({ owner: true });
    await fill(database, 100);
    const { events, records } = await storedByRequest(database, 'c-90', { startedAt: at(10), ms: 1 });
    assert.equal([events, records], [[], []]);
  }));

test('a request that no host remembers is rebuilt from its records, by the time in its id', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect({ owner: true });
    const id = newUuid(Date.now() - 3_600_000);
    await database.rows({
      text: `INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, publish, digest, hash, host, recorded_at)
        VALUES (1, 1, gen_random_uuid(), 'CommandFailed', $1, '{}', false, '', '', 'north-1', now() - interval '59 minutes')`,
      values: [JSON.stringify({ commandType: 'BakeBread', correlationId: id, error: { message: 'burnt' } })],
    });
    const found = await rebuiltRequest(database, id);
    assert.equal(
      [found?.command, found?.outcome, found?.host, found?.isRebuilt],
      ['BakeBread', 'failed', 'north-1', true],
    );
    assert.is(found?.records.length, 1);
    assert.is(await rebuiltRequest(database, newUuid()), undefined);
    assert.is(await rebuiltRequest(database, 'c-7'), undefined);
  }));

test('an empty log holds nothing', () =>
  withMigratedDatabase(async ({ connect }) => {
    assert.equal(await foundAt(connect(), 1), [[], []]);
  }));
