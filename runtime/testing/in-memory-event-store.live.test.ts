import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { StagedEvent, Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from './collect.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { withMigratedDatabase } from './migrated-database.js';

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
