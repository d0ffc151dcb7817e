import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { KeyedOutcome, StagedEvent, Unit } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { collect } from '../kit/collect.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import { encodeUnit } from './encode-unit.js';
import { commitCall, flushParameters } from './flush-call.js';
import { openPostgresStore, type PostgresStore } from './postgres-event-store.js';

const test = suite('postgres event store under load and failure');

test('a reader that follows four writers skips nothing and sees everything in order', () =>
  withMigratedDatabase(async (database) => {
    const streams = Array.from({ length: 8 }, () => newUuid());
    const end = Date.now() + 3_000;
    const writers = ['a', 'b', 'c', 'd'].map((host) => database.openStore(host));
    const answers: string[] = [];
    const conflicts = () => answers.filter((answer) => answer === 'conflict').length;
    // A busy machine takes longer for as many.
    const isOver = () => Date.now() >= end && conflicts() > 20 && answers.length - conflicts() > 200;
    const writing = Promise.all(
      writers.flatMap((store) =>
        Array.from({ length: 8 }, () => appendUntil(isOver, { store, streams, answers })),
      ),
    );
    const reading = followed(database.openStore('reader'), writing);
    await writing;
    const seen = await reading;

    const stored = answers.filter((answer) => answer !== 'conflict');
    assert.ok(answers.length - stored.length > 20, 'there were conflicts');
    assert.ok(stored.length > 200, 'there were writes');
    assert.equal(
      seen.map(({ globalPosition }) => globalPosition),
      numbers(stored.length),
    );
    assert.equal(new Set(seen.map(({ messageId }) => messageId)), new Set(stored));
    for (const stream of streams) {
      const positions = seen
        .filter(({ streamId }) => streamId === stream)
        .map((event) => event.streamPosition);
      assert.equal(positions, numbers(positions.length));
    }
    assert.is(await timesRunningBackwards(database), 0);
  }));

/** A connection that is killed while it is opened refuses what waits for it: nothing of that is stored. */
async function untilAccepted<T>(append: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await append();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'store-unavailable') throw error;
    }
  }
}

test('a writer whose connection is killed repeatedly loses nothing and stores nothing twice', () =>
  withMigratedDatabase(async (database) => {
    const store = database.openStore('victim');
    const owner = database.connect({ owner: true });
    const acknowledged = new Map<Uuid, number>();
    let kills = 0;
    const caller = async () => {
      for (let n = 0; n < 60; n++) {
        const event = happened();
        const { globalPositions } = await untilAccepted(() => store.append(newUuid(), event));
        acknowledged.set(event.messageId, globalPositions[0] ?? 0);
        if (acknowledged.size % 100 === 0) kills += await killBackendsOf('victim', owner);
      }
    };
    await Promise.all(Array.from({ length: 20 }, caller));

    assert.ok(kills >= 5, `${kills} connections were killed`);
    const rows = await owner.rows({ text: 'SELECT event_id, global_position FROM svc_events' });
    assert.equal(new Map(rows.map(([id, position]) => [id, Number(position)])), acknowledged);
    assert.equal(
      [...acknowledged.values()].toSorted((a, b) => a - b),
      numbers(1200),
    );
  }));

test('a flush whose result was lost is retried and stored once', () =>
  withMigratedDatabase(async (database) => {
    const answersLost = { left: 3 };
    const store = openPostgresStore(losingAnswers(database.connect(), answersLost), { host: 'unlucky' });
    const order = newUuid();
    const outcomes = await Promise.all([
      store.append(order, happened(), { expectedPosition: 0 }),
      store.append(order, happened(), { expectedPosition: 1 }),
    ]);
    assert.is(answersLost.left, 0);
    assert.equal(
      outcomes.map(({ positions }) => positions),
      [[1], [2]],
    );
    assert.is(await store.lastPosition(order), 2);
    await store.close();
  }));

test('a repeated flush gets the stored result and has no second effect', () =>
  withMigratedDatabase(async (database) => {
    const connection = database.connect();
    const order = newUuid();
    const send = (flush: number, unit: Unit) => {
      const values = flushParameters(writer, flush, 'test', [encodeUnit(unit, Date.now())]);
      return connection.rows({ text: commitCall, values });
    };
    const writer = newUuid();
    const unit = unitOf({
      events: [{ streamId: order, envelope: happened() }],
      expected: new Map([[order, 0]]),
    });
    const first = await send(1, unit);
    await send(2, unitOf({ events: [{ streamId: order, envelope: happened() }] }));
    assert.equal(first[0]?.slice(0, 3), ['{1}', '{1}', '{1}']);
    assert.equal(await send(1, unit), first);
    assert.is(await database.openStore().lastPosition(order), 2);
  }));

test('a unit that the server or the protocol cannot accept does not affect others', () =>
  withMigratedDatabase(async (database) => {
    const store = database.openStore();
    const commit = (outcome?: KeyedOutcome) =>
      store
        .commit(unitOf({ events: [{ streamId: newUuid(), envelope: happened() }], outcome }))
        .then(() => 'stored', codeOf);
    const answers = await Promise.all([
      commit(),
      commit({ ...answer, body: '\u0000' }),
      commit(),
      commit({ ...answer, status: 70_000 }),
      commit(answer),
    ]);
    assert.equal(answers, ['stored', 'unexpected', 'stored', 'unexpected', 'stored']);
    assert.is((await collect(store.readAll({ after: 0 }))).length, 3);
  }));

test('an expired key may be used again', () =>
  withMigratedDatabase(async (database) => {
    const store = database.openStore();
    await store.commit(unitOf({ outcome: answer }));
    await database
      .connect({ owner: true })
      .rows({ text: "UPDATE svc_idempotency SET expires_at = now() - interval '1 second'" });
    await store.commit(unitOf({ outcome: { ...answer, body: 'later' } }));
    const rows = await database.connect().rows({ text: 'SELECT body FROM svc_idempotency' });
    assert.equal(rows, [['later']]);
  }));

test('system records form one chain of hashes over their text and their position', () =>
  withMigratedDatabase(async (database) => {
    const store = database.openStore();
    const order = newUuid();
    for (let n = 0; n < 3; n++) {
      const staged: StagedEvent = { streamId: order, envelope: happened() };
      const records = [
        { envelope: happened(), of: staged, publish: false },
        { envelope: happened(), publish: true },
      ];
      await store.commit(unitOf({ events: [staged], records }));
    }
    const rows = await database.connect().rows({
      text: `SELECT json_build_array(event_type, data::text, metadata::text, host), publish,
        encode(int8send(stream_position) || int8send(global_position) || int8send(coalesce(original_position, 0))
        || timestamptz_send(recorded_at) || uuid_send(event_id), 'hex'), encode(hash, 'hex')
        FROM svc_system_events ORDER BY stream_position`,
    });
    assert.is(rows.length, 6);
    let previous = Buffer.of(0);
    for (const [columns, publish, position, hash] of rows) {
      const texts = (JSON.parse(columns ?? '[]') as string[]).map((text) => Buffer.from(text));
      const lengths = texts.map(({ length }) => length.toString(16).padStart(8, '0')).join('');
      const prefix = Buffer.from(`${lengths}0${publish === 't' ? 1 : 0}`, 'hex');
      const digest = sha256(Buffer.concat([prefix, ...texts]));
      const link = Buffer.concat([previous, Buffer.from(position ?? '', 'hex'), digest]);
      previous = sha256(link);
      assert.is(hash, previous.toString('hex'));
    }
  }));

test('a closed store rejects further calls', () =>
  withMigratedDatabase(async (database) => {
    const store = openPostgresStore(database.connect(), { host: 'leaving' });
    const last = store.append(newUuid(), happened());
    await store.close();
    assert.equal((await last).positions, [1]);
    assert.is(await store.append(newUuid(), happened()).then(() => 'stored', codeOf), 'draining');
    assert.is(store.depth, 0);
  }));

const answer: KeyedOutcome = { key: Buffer.of(1), fingerprint: Buffer.of(2), status: 200, body: '{}' };

const happened = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: { text: 'ünïcödé' },
  timestamp: new Date().toISOString(),
  v: 1,
});

const unitOf = (unit: Partial<Unit>): Unit => ({ events: [], records: [], expected: new Map(), ...unit });

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : String(error));

/** Appends to shared streams, every other time at an expected position; returns ids and conflicts. */
interface Appending {
  readonly store: PostgresStore;
  readonly streams: readonly Uuid[];
  readonly answers: string[];
}

async function appendUntil(isOver: () => boolean, { store, streams, answers }: Appending): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const stream = streams[n % streams.length] ?? newUuid();
    const event = happened();
    const expectedPosition = n % 2 === 0 ? 'any' : await store.lastPosition(stream);
    const append = store.append(stream, event, { expectedPosition });
    const outcome = await append.then(() => event.messageId, codeOf);
    answers.push(outcome === 'stream-conflict' && expectedPosition !== 'any' ? 'conflict' : outcome);
  }
}

async function followed(store: PostgresStore, writing: Promise<unknown>) {
  const seen = await collect(store.readAll({ after: 0 }));
  let over = false;
  void writing.finally(() => (over = true));
  for (let last = false; !last;) {
    last = over;
    for await (const event of store.readAll({ after: seen.at(-1)?.globalPosition ?? 0 })) seen.push(event);
  }
  return seen;
}

async function timesRunningBackwards(database: MigratedDatabase): Promise<number> {
  const [row] = await database.connect().rows({
    text: `SELECT count(*) FROM (SELECT recorded_at < lag(recorded_at) OVER (ORDER BY global_position) AS back
      FROM svc_events) t WHERE back`,
  });
  return Number(row?.[0]);
}

async function killBackendsOf(applicationName: string, owner: Database): Promise<number> {
  const killed = await owner.rows({
    text: 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
    values: [applicationName],
  });
  return killed.length;
}

/** A database that performs a commit and then loses the connection before the response, a limited number of times. */
const losingAnswers = (database: Database, lost: { left: number }): Database => ({
  ...database,
  session: async () => {
    const session = await database.session();
    return {
      ...session,
      prepared: (statement) => {
        const call = session.prepared(statement);
        return async (values) => {
          const row = await call(values);
          if (lost.left-- <= 0) {
            lost.left = 0;
            return row;
          }
          throw new Error('Connection terminated unexpectedly');
        };
      },
    };
  },
});
