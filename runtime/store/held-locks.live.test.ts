import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { createPerspectiveTables } from '../perspectives/tables/create-tables.js';
import { perspectiveTable } from '../perspectives/tables/perspective-table.js';
import { sealSegments } from '../segments/seal-segments.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import { testRecorder, useSegmentsOf } from '../testing/small-segments.js';
import { until } from '../kit/until.js';
import { inRecordedTransaction } from './append-records.js';

const test = suite('commits beside a session that stalls');

class Happened {}
const happened = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});
const minutesFromNow = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

/** A transaction that has run a statement and stays open meanwhile. */
async function whileOpen<T>({ connect }: MigratedDatabase, text: string, body: () => Promise<T>): Promise<T> {
  const session = await connect({ owner: true }).session();
  try {
    await session.rows({ text: 'BEGIN' });
    await session.rows({ text });
    let isOver = false;
    const result = body().finally(() => (isOver = true));
    await until(() => isOver);
    return await result;
  } finally {
    session.release(true);
  }
}

test('an event from the future is stored while another session changes the row of the store', () =>
  withMigratedDatabase(async (database) => {
    const store = database.openStore();
    await whileOpen(database, 'UPDATE svc_store SET namespace = namespace', async () => {
      await store.append(newUuid(), happened(), { occurredAt: minutesFromNow(4) });
      await store.append(newUuid(), happened());
    });
  }));

test('a late event is stored while another session ends the rewind of its stream, and makes the next one', () =>
  withMigratedDatabase(async (database) => {
    const store = database.openStore();
    const perspective: AnyPerspective = {
      name: 'orders',
      events: [Happened],
      initial: () => ({}),
      apply: (model) => model,
    };
    const table = perspectiveTable(perspective);
    await createPerspectiveTables(database.connect({ owner: true }), [table]);
    const stream = newUuid();
    for (const minutes of [-10, -30])
      await store.append(stream, happened(), { occurredAt: minutesFromNow(minutes) });
    const reader = database.connect();
    const rewinds = () =>
      reader.rows({ text: 'SELECT global_position, last_position, pending FROM svc_rewinds ORDER BY 1' });
    const pending = `{${table.table}}`;
    assert.equal(await rewinds(), [['2', '2', pending]]);
    await whileOpen(database, `SELECT svc_rewound('${table.table}', 2, '[]')`, async () => {
      for (const minutes of [-50, -40])
        await store.append(stream, happened(), { occurredAt: minutesFromNow(minutes) });
    });
    assert.equal(await rewinds(), [
      ['2', '2', pending],
      ['3', '4', pending],
    ]);
  }));

test('commits continue while another session reads the open segment; sealing waits for the reader', () =>
  withMigratedDatabase(async (database) => {
    await useSegmentsOf(database.url, 4);
    const store = database.openStore();
    const reader = database.connect();
    for (let n = 0; n < 6; n++) await store.append(newUuid(), happened());
    const sealing = await whileOpen(database, 'SELECT FROM svc_open_events', async () => {
      const sealed = sealSegments(database.connect({ applicationName: 'sealer' }), testRecorder);
      const waits = `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE a.datname = current_database()
        AND NOT l.granted AND l.locktype = 'relation' AND a.application_name = 'sealer'`;
      await until(async () => (await reader.rows({ text: waits })).length === 1);
      for (let n = 0; n < 6; n++) await store.append(newUuid(), happened());
      return { sealed };
    });
    assert.equal(
      (await sealing.sealed).slice(0, 2).map(({ low, high }) => [low, high]),
      [
        [0, 4],
        [4, 8],
      ],
    );
  }));

test('the server ends every transaction that appends records and stalls', () =>
  withMigratedDatabase(async ({ connect }) => {
    const session = await connect().session();
    const limit = await inRecordedTransaction(session, () =>
      session.rows({ text: 'SHOW idle_in_transaction_session_timeout' }),
    );
    session.release();
    assert.equal(limit, [['10s']]);
  }));
