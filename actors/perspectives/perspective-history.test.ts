import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { seedsWithin } from '../../contracts/testing/seeds.js';
import { suite } from '../../contracts/testing/suite.js';
import { compareKeys } from '../../runtime/log/order-key.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { InMemoryLog, InMemoryPerspectiveStore } from '../../runtime/testing/in-memory-perspective-store.js';
import { type Account, accounts, type Booked } from '../testing/accounts-perspective.js';
import { type Append, history, type Move, Runners } from '../testing/perspective-history.js';

const test = suite('perspective history');

const stores = ['10000000-0000-4000-8000-000000000000', 'f0000000-0000-4000-8000-000000000000'] as const;
const nameOf = (stream: number): string => `00000000-0000-4000-8000-00000000000${stream}`;

interface Played {
  readonly moves: readonly Move[];
  readonly pageSize: number;
  readonly snapshotEvery: number;
}

async function play({ moves, pageSize, snapshotEvery }: Played): Promise<void> {
  let isMended = false;
  const apply = (model: Account, event: StoredEvent): Account | null => {
    const { amount } = event.payload as Booked;
    if (amount === 13 && !isMended) throw new RangeError('thirteen');
    return amount === 0 ? null : { amounts: [...model.amounts, amount], sum: model.sum + amount };
  };
  const perspective = accounts({ apply, snapshotEvery });
  const log = new InMemoryLog();
  const store = new InMemoryPerspectiveStore(log);
  const runners = new Runners({ perspective, table: perspectiveTable(perspective) }, store, pageSize);
  let now = 1_000;
  const add = ({ stream, amount, lateBy, foreign }: Append): void => {
    now += 2;
    log.append(nameOf(stream), 'Booked', { amount }, now - lateBy, stores[foreign ? 1 : 0]);
  };
  for (const move of moves) {
    if (move.do === 'append') add(move);
    else await runners.step(move);
  }
  isMended = true;
  await runners.finish();
  assert.equal(await store.parked(), []);
  for (const stream of [0, 1].map(nameOf)) assert.equal(keptIn(store, stream), expectedOf(log, stream));
}

const keptIn = (store: InMemoryPerspectiveStore, stream: string): unknown => {
  const row = store.rows.get(stream);
  return row === undefined ? undefined : (JSON.parse(row.model) as Account).amounts;
};

/** The model of an observer that saw everything in the order in which it happened. */
function expectedOf(log: InMemoryLog, stream: string): readonly number[] | undefined {
  const ordered = log.entries
    .filter(({ event }) => event.streamId === stream)
    .toSorted((a, b) => compareKeys(a.key, b.key))
    .map(({ event }) => (event.payload as unknown as Booked).amount);
  const since = ordered.slice(ordered.lastIndexOf(0) + 1);
  return since.length === 0 ? undefined : since;
}

const rowNames = ['a', 'b', 'c'];

/** The bits of an amount choose its rows. */
const rowsOf = (amount: number): readonly string[] => rowNames.filter((_, bit) => (amount >> bit) % 2 === 1);

async function playSeveralRows({ moves, pageSize, snapshotEvery }: Played): Promise<void> {
  let isMended = false;
  const perspective = accounts({
    late: 'apply',
    snapshotEvery,
    key: ({ payload }) => {
      const { amount } = payload as Booked;
      if (amount === 11 && !isMended) throw new RangeError('eleven');
      return rowsOf(amount);
    },
    apply: (model: Account, { payload }: StoredEvent, key: string): Account | null => {
      const { amount } = payload as Booked;
      if (amount === 13 && key === 'c' && !isMended) throw new RangeError('thirteen');
      return amount === 4 ? null : { amounts: [...model.amounts, amount], sum: model.sum + amount };
    },
  });
  const log = new InMemoryLog();
  const store = new InMemoryPerspectiveStore(log);
  const runners = new Runners({ perspective, table: perspectiveTable(perspective) }, store, pageSize);
  for (const move of moves) {
    if (move.do === 'step') await runners.step(move);
    else log.append(nameOf(move.stream), 'Booked', { amount: move.amount }, log.entries.length, stores[0]);
  }
  isMended = true;
  await runners.finish();
  assert.equal(await store.parked(), []);
  for (const row of rowNames) {
    const amounts = log.entries.map(({ event }) => (event.payload as unknown as Booked).amount);
    const own = amounts.filter((amount) => rowsOf(amount).includes(row));
    const since = own.slice(own.lastIndexOf(4) + 1);
    // An event whose keys could be read only later takes its place in the log.
    assert.equal(keptIn(store, row), since.length === 0 ? undefined : since);
  }
}

test('whatever dies, fails or conflicts: an event with several keys is folded once into each of its rows', async () => {
  await fc.assert(fc.asyncProperty(history, playSeveralRows), seedsWithin(200, 2_000, 12_000));
});

test('whatever arrives late, dies, fails or conflicts: the model is the fold of the events in order', async () => {
  await fc.assert(fc.asyncProperty(history, play), seedsWithin(200, 2_000, 12_000));
});
