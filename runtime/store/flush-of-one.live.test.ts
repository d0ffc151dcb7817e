import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { StagedEvent, Unit } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../audit/verify-chain.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';

const test = suite('flush of one event');

const happened = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: { text: 'ü' },
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});
const staged = (streamId = newUuid()): StagedEvent => ({ streamId, envelope: happened() });
const record = (of?: StagedEvent) => ({ envelope: happened(), of, publish: true });
const unit = (...events: StagedEvent[]): Unit => ({ events, records: [], expected: new Map() });
const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : String(error));

test('flushes of one event and of several make one log and one chain without gaps', () =>
  withMigratedDatabase(async ({ openStore, connect }) => {
    const store = openStore();
    const stream = newUuid();
    for (let n = 0; n < 3; n++) {
      const [audited, other] = [staged(stream), staged()];
      await store.commit(unit(staged(stream)));
      await store.commit({ ...unit(audited), records: [record(audited)] });
      await store.commit({ ...unit(other), records: [record()] });
      await store.commit({ ...unit(staged(stream), staged()), records: [record(), record()] });
      assert.equal([audited.position, audited.globalPosition], [3 * n + 2, 9 * n + 2]);
    }
    const database = connect();
    const { ok, records } = await verifyChain(database);
    assert.equal([ok, records], [true, 12]);
    const positions = `SELECT count(*), max(global_position), count(*) FILTER (WHERE original IS NOT NULL) FROM (
      SELECT global_position, NULL::bigint AS original FROM svc_events
      UNION ALL SELECT global_position, original_position FROM svc_system_events) log`;
    assert.equal(await database.rows({ text: positions }), [['27', '27', '3']]);
  }));

test('an event at another position than the expected one is a conflict', () =>
  withMigratedDatabase(async ({ openStore }) => {
    const store = openStore();
    const stream = newUuid();
    const outcomes: (string | undefined)[] = [];
    for (const expected of [1, 0, 0, 2, 1]) {
      const one = { ...unit(staged(stream)), expected: new Map([[stream, expected]]) };
      outcomes.push(await store.commit(one).then(() => 'stored', codeOf));
    }
    const conflict = 'stream-conflict';
    assert.equal(outcomes, [conflict, 'stored', conflict, conflict, 'stored']);
  }));

test('an event that is stored already keeps its position, and its record is not stored again', () =>
  withMigratedDatabase(async ({ openStore, connect }) => {
    const store = openStore();
    const first = staged();
    const again = { ...first };
    await store.commit({ ...unit(first), records: [record(first)] });
    await store.commit(unit(staged(first.streamId)));
    await store.commit({ ...unit(again), records: [record(again)] });
    assert.equal([again.position, again.globalPosition], [1, 1]);
    const text = 'SELECT (SELECT count(*) FROM svc_events), (SELECT count(*) FROM svc_system_events)';
    assert.equal(await connect().rows({ text }), [['2', '1']]);
  }));

test('an event that follows one from the future happens after it', () =>
  withMigratedDatabase(async ({ openStore, connect }) => {
    const store = openStore();
    const stream = newUuid();
    const occurredAt = new Date(Date.now() + 4 * 60_000).toISOString();
    await store.append(stream, happened(), { occurredAt });
    await store.append(stream, happened());
    const text = `SELECT bool_and(after) FROM (
      SELECT occurred_at > lag(occurred_at) OVER (ORDER BY stream_position) AS after FROM svc_events) e`;
    assert.equal(await connect().rows({ text }), [['t']]);
  }));

test.run();
