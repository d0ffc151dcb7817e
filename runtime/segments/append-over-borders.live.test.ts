import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../audit/verify-chain.js';
import { collect } from '../kit/collect.js';
import { execute } from '../kit/database.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';
import { testRecorder, useSegmentsOf } from '../testing/small-segments.js';
import { makeSegments, sealSegments } from './seal-segments.js';

const test = suite('append over borders');

const envelope = (messageId = newUuid()): Envelope => ({
  messageId,
  messageType: 'Happened',
  payload: { text: 'ü' },
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

const streams = Array.from({ length: 3 }, () => newUuid());

interface Append {
  readonly kind: 'append';
  readonly stream: number;
  readonly events: number;
  readonly records: number;
  /** Against the position that the stream has; null = none is expected. */
  readonly off: number | null;
  readonly isDated: boolean;
}
/** Sends the unit of an earlier step once more, as a host does whose answer was lost. */
interface Again {
  readonly kind: 'again';
  readonly step: number;
}
/** Units that share a flush. */
interface Together {
  readonly kind: 'together';
  readonly appends: readonly Append[];
}
interface Keep {
  readonly kind: 'seal' | 'make';
}
type Step = Append | Again | Together | Keep;

const append: fc.Arbitrary<Append> = fc.record({
  kind: fc.constant('append' as const),
  stream: fc.nat(2),
  events: fc.integer({ min: 1, max: 4 }),
  records: fc.nat(2),
  off: fc.constantFrom(null, null, 0, 0, 1, -1),
  isDated: fc.constantFrom(false, false, true),
});

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: append },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('together' as const),
        appends: fc.array(append, { minLength: 2, maxLength: 4 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('again' as const), step: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('seal' as const, 'make' as const) }) },
  ),
  { minLength: 5, maxLength: 25 },
);

function unitOf({ stream, events, records, off, isDated }: Append, at: number): Unit {
  const streamId = streams[stream] ?? newUuid();
  const occurredAt = isDated ? { occurredAt: '2026-02-01T00:00:00Z' } : {};
  const staged = Array.from({ length: events }, () => ({ streamId, envelope: envelope(), ...occurredAt }));
  const of = staged[0];
  return {
    events: staged,
    records: Array.from({ length: records }, () => ({ envelope: envelope(), of, publish: true })),
    expected: off === null ? new Map() : new Map([[streamId, Math.max(0, at + off)]]),
  };
}

/** The positions of its events, or why it was refused. */
const outcomeOf = async (store: UnitStore, unit: Unit): Promise<unknown> => {
  try {
    await store.commit(unit);
    return unit.events.map(({ position, globalPosition }) => [position, globalPosition]);
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
};

const copyOf = (unit: Unit): Unit => {
  const events = unit.events.map(({ streamId, envelope: sent, occurredAt }) => ({
    streamId,
    envelope: sent,
    ...(occurredAt === undefined ? {} : { occurredAt }),
  }));
  const records = unit.records.map(({ envelope: sent, publish }) => ({
    envelope: sent,
    of: events[0],
    publish,
  }));
  return { ...unit, events, records };
};

async function compare(given: readonly Step[], { url, openStore, connect }: MigratedDatabase): Promise<void> {
  await useSegmentsOf(url, 7);
  const [store, model, database] = [openStore(), new InMemoryEventStore(), connect()];
  const sent: Unit[] = [];
  for (const step of given) {
    if (step.kind === 'make') await makeSegments(database);
    if (step.kind === 'seal') {
      await sealSegments(database, { host: 'test' });
      await execute(
        url,
        'UPDATE svc_segments SET ids_from = svc_first_id(prev_at + $$1 ms$$); SELECT svc_show_open_segment()',
      );
    }
    const expected: unknown[] = [];
    const units: Unit[] = [];
    for (const one of step.kind === 'together' ? step.appends : [step]) {
      if (one.kind === 'append') sent.push(unitOf(one, await model.lastPosition(streams[one.stream] ?? '')));
      const unit = one.kind === 'again' ? sent[one.step % Math.max(1, sent.length)] : sent.at(-1);
      if (unit === undefined || one.kind === 'make' || one.kind === 'seal') continue;
      expected.push(await outcomeOf(model, copyOf(unit)));
      units.push(copyOf(unit));
    }
    assert.equal(
      await Promise.all(units.map((unit) => outcomeOf(store, unit))),
      expected,
      JSON.stringify(step),
    );
  }
  const inModel = await collect(model.readAll({ after: 0 }));
  const stored = await collect(store.readAll({ after: 0 }));
  const seen = (events: typeof stored) =>
    events.map(({ messageId, streamPosition, globalPosition }) => [
      messageId,
      streamPosition,
      globalPosition,
    ]);
  assert.equal(seen(stored), seen(inModel));
  for (const id of streams) assert.is(await store.lastPosition(id), await model.lastPosition(id));
  assert.is((await verifyChain(database)).ok, true);
}

test('positions, heads, conflicts and repeated units are those of a log without segments', () =>
  fc.assert(
    fc.asyncProperty(steps, (given) => withMigratedDatabase((database) => compare(given, database))),
    { numRuns: 15, endOnFailure: true },
  ));

test('many writers fill and seal segments at the same time, and nothing is lost, doubled or out of order', () =>
  withMigratedDatabase(async ({ url, openStore, connect }) => {
    await useSegmentsOf(url, 50);
    const stores = ['a', 'b'].map((host) => openStore(host));
    const stream = newUuid();
    const over = new AbortController();
    const sealing = (async () => {
      const database = connect();
      let sealed = 0;
      while (!over.signal.aborted) sealed += (await sealSegments(database, testRecorder)).length;
      return sealed;
    })();
    const writer = async (store: (typeof stores)[number]) => {
      for (let n = 0; n < 25; n++) await store.append(n % 2 === 0 ? stream : newUuid(), envelope());
    };
    await Promise.all(stores.flatMap((store) => Array.from({ length: 8 }, () => writer(store))));
    over.abort();
    assert.ok((await sealing) >= 3, 'segments were sealed');
    const database = connect();
    const log = `SELECT count(*), count(DISTINCT event_id), (SELECT count(*) FROM svc_events WHERE stream_id = $1) = (
        SELECT max(stream_position) FROM svc_events WHERE stream_id = $1) FROM svc_events`;
    assert.equal(await database.rows({ text: log, values: [stream] }), [['400', '400', 't']]);
    const positions = `SELECT count(*) = max(global_position) FROM (SELECT global_position FROM svc_events
      UNION ALL SELECT global_position FROM svc_system_events) v`;
    assert.equal(await database.rows({ text: positions }), [['t']]);
    assert.is((await verifyChain(database)).ok, true);
  }));
