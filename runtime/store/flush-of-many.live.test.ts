import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { StagedEvent, Unit } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../audit/verify-chain.js';
import type { Database } from '../database/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { encodeUnit } from './encode-unit.js';
import { commitCall, flushParameters, type FlushRow } from './flush-call.js';

const test = suite('flush of many units');

const happened = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: { text: 'ü' },
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});
const staged = (streamId: Uuid): StagedEvent => ({ streamId, envelope: happened() });

/** Sends flushes, and gives the statuses of their units. */
async function sender(database: Database) {
  const writer = newUuid();
  let flush = 0;
  const session = await database.session();
  const call = session.prepared({ name: 'commit', text: commitCall });
  return {
    send: async (units: readonly Unit[]): Promise<readonly string[]> => {
      const encoded = units.map((unit) => encodeUnit(unit, Date.now()));
      const row = (await call(flushParameters(writer, ++flush, 'test', encoded))) as unknown as FlushRow;
      return row[0].slice(1, -1).split(',');
    },
    close: () => session.release(true),
  };
}

const stored = `SELECT global_position, stream_id, stream_position, event_id, NULL FROM svc_events
  UNION ALL SELECT global_position, NULL, stream_position, event_id, original_position FROM svc_system_events ORDER BY 1`;

/** Each flush goes to one store as it is, and to another one unit by unit. */
const bothWays = (body: (send: (units: readonly Unit[]) => Promise<void>) => Promise<void>): Promise<void> =>
  withMigratedDatabase((first) =>
    withMigratedDatabase(async (second) => {
      const databases = [first.connect(), second.connect()] as const;
      const [together, apart] = [await sender(databases[0]), await sender(databases[1])];
      try {
        await body(async (units) => {
          const expected: string[] = [];
          for (const unit of units) expected.push(...(await apart.send([unit])));
          assert.equal(await together.send(units), expected);
        });
        const [one, other] = await Promise.all(databases.map((database) => database.rows({ text: stored })));
        assert.equal(one, other);
        for (const database of databases) assert.ok((await verifyChain(database)).ok);
      } finally {
        together.close();
        apart.close();
      }
    }),
  );

test('a unit that expects the stream of another unit where it was is refused', () =>
  bothWays(async (send) => {
    const [one, other] = [newUuid(), newUuid()];
    // Into an empty segment no flush is plain.
    await send([{ events: [staged(newUuid())], records: [], expected: new Map() }]);
    await send([
      { events: [staged(one)], records: [], expected: new Map() },
      {
        events: [staged(other)],
        records: [],
        expected: new Map([
          [one, 0],
          [other, 0],
        ]),
      },
    ]);
  }));

/** 0 to 2 name streams. */
const units = fc.array(
  fc.record({
    events: fc.array(fc.nat(2), { maxLength: 3 }),
    expected: fc.array(fc.tuple(fc.nat(2), fc.nat(3)), { maxLength: 2 }),
    records: fc.nat({ max: 1 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** As a busy host sends it: one event for each unit, and each stream where it was. */
const plain = fc.nat(3);

test('a flush decides, numbers and chains as its units would one after another', () =>
  bothWays(async (send) => {
    const property = fc.asyncProperty(fc.array(fc.oneof(units, plain), { maxLength: 6 }), async (flushes) => {
      const streams = [newUuid(), newUuid(), newUuid()];
      for (const flush of flushes) {
        const made =
          typeof flush === 'number'
            ? Array.from({ length: flush + 1 }, newUuid).map((id) => ({
                events: [staged(id)],
                records: [],
                expected: new Map([[id, 0]]),
              }))
            : flush.map(({ events, expected, records }) => {
                const all = events.map((stream) => staged(streams[stream] ?? ''));
                return {
                  events: all,
                  records: all
                    .slice(0, records)
                    .map((event) => ({ envelope: happened(), of: event, publish: true })),
                  expected: new Map(expected.map(([stream, at]) => [streams[stream] ?? '', at])),
                };
              });
        await send(made);
      }
    });
    await fc.assert(property, { numRuns: 30 });
  }));
