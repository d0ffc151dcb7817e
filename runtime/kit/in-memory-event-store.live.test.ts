import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { ReadRange } from '../../contracts/event-store.js';
import type { StagedEvent, Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { postgresInbox } from '../inbox/postgres-inbox.js';
import { eventOf } from '../inbox/received-rows.js';
import { collect } from './collect.js';
import { ForeignStore } from '../testing/foreign-events.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';

/** A unit in small numbers, so that streams, ids and keys collide often. */
interface Sketch {
  readonly events: readonly { stream: number; id: number; data: number }[];
  readonly records: readonly { id: number; of: number }[];
  readonly expected: readonly { stream: number; position: number }[];
  readonly key: number | null;
}

const test = suite('in-memory and postgres event store');

test('any units, sequential or concurrent, get the same results and positions from both', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(sketch, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (sketches, concurrently) => {
        const ids = idsOfOneRun();
        const memory = new InMemoryEventStore();
        const expected = await answersFrom(memory, unitsOf(sketches, ids), false);
        await withMigratedDatabase(async (database) => {
          const store = database.openStore();
          assert.equal(await answersFrom(store, unitsOf(sketches, ids), concurrently), expected);
          assert.equal(await contentOf(store), await contentOf(memory));
        });
      },
    ),
    { numRuns: 60 },
  ));

const sketch: fc.Arbitrary<Sketch> = fc.record({
  events: fc.array(
    fc.record({ stream: fc.nat({ max: 2 }), id: fc.nat({ max: 15 }), data: fc.nat({ max: 1 }) }),
    { maxLength: 3 },
  ),
  records: fc.array(fc.record({ id: fc.nat({ max: 40 }), of: fc.nat({ max: 3 }) }), { maxLength: 2 }),
  expected: fc.array(fc.record({ stream: fc.nat({ max: 2 }), position: fc.nat({ max: 3 }) }), {
    maxLength: 1,
  }),
  key: fc.option(fc.nat({ max: 3 }), { freq: 2 }),
});

type Ids = (kind: string, number: number) => string;

function idsOfOneRun(): Ids {
  const known = new Map<string, string>();
  return (kind, number) => {
    const name = `${kind} ${number}`;
    const id = known.get(name) ?? newUuid();
    known.set(name, id);
    return id;
  };
}

/** Equal sketches make equal events; records are about the event of that number, if there is one. */
const unitsOf = (sketches: readonly Sketch[], ids: Ids): Unit[] =>
  sketches.map(({ events, records, expected, key }) => {
    const staged = events.map(({ stream, id, data }): StagedEvent => ({
      streamId: ids('stream', stream),
      envelope: message(ids('event', id), 'Happened', { data }),
    }));
    return {
      events: staged,
      records: records.map(({ id, of }) => ({
        envelope: message(ids('record', id), 'Recorded', { id }),
        of: staged[of],
        publish: false,
      })),
      expected: new Map(expected.map(({ stream, position }) => [ids('stream', stream), position])),
      outcome:
        key === null
          ? undefined
          : { key: Buffer.of(key), fingerprint: Buffer.of(1), status: 200, body: '{}' },
    };
  });

const message = (messageId: string, messageType: string, payload: unknown) =>
  ({ messageId, messageType, payload, timestamp: '2026-01-01T00:00:00Z', v: 1 }) as const;

async function answersFrom(
  store: UnitStore,
  units: readonly Unit[],
  concurrently: boolean,
): Promise<unknown[]> {
  const answer = (unit: Unit) =>
    store.commit(unit).then(
      () => unit.events.map(({ position, globalPosition }) => [position, globalPosition]),
      (error: unknown) => (error instanceof Problem ? error.code : String(error)),
    );
  if (concurrently) return Promise.all(units.map(answer));
  const answers: unknown[] = [];
  for (const unit of units) answers.push(await answer(unit));
  return answers;
}

const contentOf = async (store: UnitStore): Promise<unknown[]> =>
  (await collect(store.readAll({ after: 0 }))).map(
    ({ recordedAt: _recorded, occurredAt: _occurred, timestamp: _time, host: _host, ...rest }) => rest,
  );

test('both read a stream of several stores by origin, in the order in which it happened, and count own positions only', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const [stream, bakery, now] = [newUuid(), new ForeignStore(), Date.now()];
    const at = (seconds: number): string => new Date(now - seconds * 1_000).toISOString();
    const own = [30, 10].map(
      (seconds) => [message(newUuid(), 'Happened', { seconds }), at(seconds)] as const,
    );
    const foreign = [20, 40, 5].map((seconds) =>
      bakery.event(stream, { messageType: 'Happened', payload: { seconds }, occurredAt: at(seconds) }),
    );
    const [memory, store] = [new InMemoryEventStore(), openStore()];
    const inbox = postgresInbox(connect(), newUuid());
    await inbox.acquireLease(60_000);
    await inbox.storeEvents(foreign.map(eventOf), 60_000);
    for (const event of foreign) memory.receive(stream, event, bakery.id, event);
    for (const one of [memory, store]) {
      for (const [event, occurredAt] of own) await one.append(stream, event, { occurredAt });
      const read = async (range: ReadRange) =>
        (await collect(one.read(stream, range))).map(
          ({ payload }) => (payload as { seconds: number }).seconds,
        );
      assert.equal(await read({}), [30, 10]);
      assert.equal(await read({ origin: 'others' }), [40, 20, 5]);
      assert.equal(await read({ origin: 'all' }), [40, 30, 20, 10, 5]);
      assert.equal(await read({ origin: 'all', from: 2 }), [40, 10, 5], 'of each store');
      assert.is(await one.lastPosition(stream), 2);
      const [first] = await collect(one.read(stream, { origin: 'others' }));
      assert.is(first?.store, bakery.id);
    }
  }));
