import * as assert from 'uvu/assert';
import { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { Upcasters } from '../../contracts/upcaster.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../lang/cancellation.js';
import { RequestContext } from '../request/request-context.js';
import { StagedBase } from './staged-base.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';
import { StagedUnit } from './unit-of-work.js';

class Booked extends Event {
  declare amount: number;
}

const test = suite('staged base');

/** An account with one stored event, and two decided units of two events each: 10 and 11, 20 and 21. */
async function account() {
  const store = new InMemoryEventStore();
  const streamId = newUuid();
  const unitAt = (position: number, ...amounts: readonly number[]): StagedUnit => {
    const context = new RequestContext({ transport: 'local', cancellation: new Cancellation() });
    const work = new StagedUnit(context, store);
    work.append(
      streamId,
      amounts.map((amount) => Booked.of({ amount })),
      { expectedPosition: position },
    );
    return work;
  };
  await store.commit(unitAt(0, 1));
  const units = [unitAt(1, 10, 11), unitAt(3, 20, 21)];
  const base = new StagedBase(units, 0, new Upcasters(), () => Promise.resolve());
  const read = async (from: number) =>
    (await base.read(store, streamId, from)).map(({ streamPosition, payload }) => [
      streamPosition,
      (payload as Booked).amount,
    ]);
  const commit = async (count: number): Promise<void> => {
    for (const unit of units.slice(0, count)) await store.commit(unit);
  };
  return { read, commit };
}

const all = [
  [1, 1],
  [2, 10],
  [3, 11],
  [4, 20],
  [5, 21],
];

for (const committed of [0, 1, 2])
  for (const from of [1, 2, 3, 4, 5, 6])
    test(`a read from ${from} has every event once when ${committed} of two units are stored meanwhile`, async () => {
      const { read, commit } = await account();
      await commit(committed);
      assert.equal(await read(from), all.slice(from - 1));
    });
