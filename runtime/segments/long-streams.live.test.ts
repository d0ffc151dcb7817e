import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { encodeUnit } from '../store/encode-unit.js';
import { appendCall, flushParameters, oneEventParameters } from '../store/flush-call.js';
import { execute } from '../kit/database.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';

const test = suite('appends where streams are long');

const happened = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});
const unit = () => ({
  events: [{ streamId: newUuid(), envelope: happened() }],
  records: [],
  expected: new Map(),
});

/** By the statistics a walk through the positions looks cheaper than the index of streams. */
const longStreams = `INSERT INTO svc_events SELECT i, md5((i / 100)::text)::uuid, 0, i % 100, gen_random_uuid(), 'T', '{}', '{}', 'test', now(), now()
  FROM generate_series(1, 14000) i;
  ANALYZE`;

/** How many events a statement reads. */
async function readBy({ connect }: MigratedDatabase, text: string, values: unknown[]): Promise<number> {
  const session = await connect({ owner: true }).session();
  try {
    await session.rows({ text: 'BEGIN' });
    await session.rows({ text, values });
    const [row] = await session.rows({
      text: `SELECT sum(idx_tup_fetch + seq_tup_read) FROM pg_stat_xact_user_tables WHERE relname LIKE 'svc_events%'`,
    });
    return Number(row?.[0]);
  } finally {
    session.release(true);
  }
}

test('an append looks for the heads of its streams by index, however long streams are', () =>
  withMigratedDatabase(async (database) => {
    await execute(database.url, longStreams);
    const units = [unit(), unit()].map((one) => encodeUnit(one, Date.now()));
    const several = flushParameters(newUuid(), 1, 'test', units);
    const [one] = units.map((each) => oneEventParameters(newUuid(), 1, 'test', [each]));
    const placeholders = (one ?? []).map((_, n) => `$${n + 1}`).join(', ');
    const read = [
      await readBy(database, appendCall, several),
      await readBy(database, `SELECT svc_append_one(${placeholders})`, one ?? []),
    ];
    assert.ok(
      read.every((count) => count > 0 && count < 10),
      `${read.join(' and ')} events were read`,
    );
  }));
