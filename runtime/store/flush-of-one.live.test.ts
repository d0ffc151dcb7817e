import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { StagedEvent, Unit } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Uuid } from '../../contracts/scalars.js';
import { verifyChain } from '../audit/verify-chain.js';
import type { Database } from '../database/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { until } from '../kit/until.js';
import { encodeUnit } from './encode-unit.js';
import {
  commitCall,
  commitOneCall,
  flushParameters,
  type FlushRow,
  oneEventParameters,
  rowOfOne,
} from './flush-call.js';

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

test('an event that is stored already keeps its position, whatever position its stream is expected at', () =>
  withMigratedDatabase(async ({ openStore, connect }) => {
    const store = openStore();
    const first = staged();
    await store.commit(unit(first));
    for (const expected of [0, 1]) {
      const again = { ...first };
      const expectedAt = new Map([[first.streamId, expected]]);
      await store.commit({ ...unit(again), records: [record(again)], expected: expectedAt });
      assert.equal([again.position, again.globalPosition], [1, 1]);
    }
    const text = 'SELECT (SELECT count(*) FROM svc_events), (SELECT count(*) FROM svc_system_events)';
    assert.equal(await connect().rows({ text }), [['1', '0']]);
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

const countRows = `SELECT (SELECT count(*) FROM svc_events), (SELECT count(*) FROM svc_system_events),
  (SELECT count(*) FROM svc_flushes)`;

/** Sends a flush by the call of one event, and gives its answer. */
const oneBy = (database: Database, writer: Uuid) => async (flush: number, one: Unit) => {
  const values = oneEventParameters(writer, flush, 'test', [encodeUnit(one, Date.now())]) ?? [];
  const [row] = await database.rows({ text: commitOneCall, values });
  return rowOfOne(row?.[0]);
};

/** The same by the general call. */
const generalBy = (database: Database, writer: Uuid) => async (flush: number, one: Unit) => {
  const values = flushParameters(writer, flush, 'test', [encodeUnit(one, Date.now())]);
  const [row] = await database.rows({ text: commitCall, values });
  return row as unknown as FlushRow;
};

test('a flush that is sent again gets the first answer, stores nothing, and leaves no row behind', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const database = connect();
    await openStore().commit(unit(staged(), staged()));
    const send = oneBy(database, newUuid());
    const [bare, event] = [unit(staged()), staged()];
    const audited = { ...unit(event), records: [record(event)], expected: new Map([[event.streamId, 0]]) };
    for (const [flush, sent] of [bare, audited].entries()) {
      const first = await send(flush, sent);
      const before = await database.rows({ text: countRows });
      await send(flush + 100, unit(staged(sent.events[0]?.streamId)));
      assert.equal(await send(flush, sent), first);
      assert.is(first[0], '{1}');
      const [[events = '', ...others] = []] = before;
      assert.equal(await database.rows({ text: countRows }), [[String(Number(events) + 1), ...others]]);
    }
  }));

test('an event that is stored with other content, or in another stream, is a conflict', () =>
  withMigratedDatabase(async ({ openStore }) => {
    const store = openStore();
    const first = staged();
    await store.commit(unit(first));
    const elsewhere = { ...first, streamId: newUuid() };
    const other = { ...first, envelope: { ...first.envelope, payload: { text: 'other' } } };
    for (const again of [elsewhere, other])
      assert.is(await store.commit(unit(again)).then(() => 'stored', codeOf), 'stream-conflict');
  }));

test('the log announces a flush of one event', () =>
  withMigratedDatabase(async ({ openStore, connect }) => {
    const store = openStore();
    await store.commit(unit(staged(), staged()));
    const session = await connect().session();
    let announced = 0;
    session.onNotification(() => announced++);
    await session.rows({ text: 'LISTEN svc' });
    const event = staged();
    await store.commit(unit(staged()));
    await until(() => announced === 1);
    await store.commit({ ...unit(event), records: [record(event)] });
    await until(() => announced === 2);
    session.release(true);
  }));

/** What a writer may do: 0 to 2 name streams, expected positions and records; a repeated step sends the same again. */
const steps = fc.array(
  fc.record({
    stream: fc.nat(2),
    expected: fc.option(fc.nat(4)),
    record: fc.constantFrom('none', 'of the event', 'of nothing'),
    again: fc.constantFrom('no', 'no', 'same flush', 'other flush'),
  }),
  { minLength: 1, maxLength: 12 },
);

test('the call for one event decides, numbers and chains as the general call does', () =>
  withMigratedDatabase((first) =>
    withMigratedDatabase(async (second) => {
      const databases = [first.connect(), second.connect()] as const;
      const calls = [oneBy(databases[0], newUuid()), generalBy(databases[1], newUuid())] as const;
      let flush = 0;
      const property = fc.asyncProperty(steps, async (list) => {
        const streams = [newUuid(), newUuid(), newUuid()];
        let last: readonly [number, Unit] | undefined;
        for (const { stream, expected, record: kind, again } of list) {
          const streamId = streams[stream] ?? newUuid();
          const event = staged(streamId);
          const fresh: Unit = {
            events: [event],
            records: kind === 'none' ? [] : [record(kind === 'of nothing' ? undefined : event)],
            expected: new Map(expected === null ? [] : [[streamId, expected]]),
          };
          const sent = again === 'no' || last === undefined ? fresh : last[1];
          const number = again === 'same flush' && last !== undefined ? last[0] : ++flush;
          const answers = await Promise.all(calls.map((call) => call(number, sent)));
          const [one, general] = answers.map(([status, ...rest]) => [
            status.replace('4', '1'),
            ...rest.slice(0, 2),
          ]);
          assert.equal(one, general);
          last = [number, sent];
        }
      });
      await fc.assert(property, { numRuns: 15 });
      const text = `SELECT global_position, stream_id, stream_position, event_id, data::text, metadata::text, NULL FROM svc_events
        UNION ALL SELECT global_position, NULL, stream_position, event_id, data::text, metadata::text, original_position
        FROM svc_system_events ORDER BY 1`;
      const [one, general] = await Promise.all(databases.map((database) => database.rows({ text })));
      assert.equal(one, general);
      for (const database of databases) assert.ok((await verifyChain(database)).ok);
    }),
  ));
