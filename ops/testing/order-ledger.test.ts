import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { compared } from './order-ledger.js';

const test = suite('a ledger of orders');

/** What clients were promised, and a log in which each finds its orders in their order. */
const kept = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
    fc.infiniteStream(fc.nat()),
  )
  .map(([lengths, choices]) => {
    const promised = lengths.map((length, client) => Array.from({ length }, (_, at) => `${client}-${at}`));
    const left = promised.map((orders) => [...orders]);
    const stored: string[] = [];
    for (const choice of choices) {
      const open = left.filter((orders) => orders.length > 0);
      const next = open[choice % Math.max(1, open.length)]?.shift();
      if (next === undefined) break;
      stored.push(next);
    }
    return { promised, stored };
  });

const nothing = { lost: [], doubled: [], outOfOrder: [] };

test('nothing is wrong with a log that has every order once, in the order of each client', () => {
  fc.assert(fc.property(kept, ({ promised, stored }) => assert.equal(compared(promised, stored), nothing)));
});

test('an order that is missing, stored twice, promised to nobody, or before an earlier one is found', () => {
  fc.assert(
    fc.property(kept, fc.nat(), ({ promised, stored }, choice) => {
      const at = choice % stored.length;
      const order = stored[at] ?? '';
      assert.equal(compared(promised, stored.toSpliced(at, 1)).lost, [order]);
      assert.equal(compared(promised, [...stored, order]).doubled, [order]);
      assert.equal(compared(promised, [...stored, 'other']).doubled, ['other']);
      const first = promised.find((orders) => orders.length > 1)?.[0];
      if (first === undefined) return;
      const late = [...stored.filter((id) => id !== first), first];
      assert.ok(compared(promised, late).outOfOrder.length > 0);
    }),
  );
});
