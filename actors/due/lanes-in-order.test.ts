import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { partOf } from '../../runtime/lang/part-of.js';
import { LanesInOrder } from './lanes-in-order.js';

const test = suite('lanes in order');

const laneName = fc
  .tuple(
    fc.constantFrom('1', 'n'),
    fc.constantFrom('sms', 'sms-2', 'mail'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  )
  .map((parts) => parts.join('|'));

const compared = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

const inOrderOf = (added: readonly string[], deleted: readonly string[] = []): LanesInOrder => {
  const lanes = new LanesInOrder();
  for (const lane of added) lanes.add(lane, lane);
  for (const lane of deleted) lanes.delete(lane);
  return lanes;
};

test('lanes of an effect are found from a hand on, in the order of their bytes', () => {
  fc.assert(
    fc.property(
      fc.array(laneName),
      fc.array(laneName),
      fc.option(laneName, { nil: '' }),
      (added, deleted, hand) => {
        const left = [...new Set(added)].filter((lane) => !deleted.includes(lane)).sort(compared);
        const ofEffect = left.filter((lane) => lane.split('|')[1] === 'sms' && compared(lane, hand) >= 0);
        assert.equal(inOrderOf(added, deleted).within('sms', hand, Infinity), ofEffect);
      },
    ),
  );
});

test('a lane that a walk passes in its partition is among them, wherever the lanes of others are', () => {
  fc.assert(
    fc.property(
      fc.array(laneName),
      fc.array(laneName),
      fc.integer({ min: 1, max: 3 }),
      (all, some, reach) => {
        const found = inOrderOf(some).within('sms', '', reach);
        for (const kind of ['1', 'n'])
          for (let part = 0; part < 8; part++) {
            const ofPart = [...new Set([...all, ...some])]
              .filter((lane) => lane.startsWith(`${kind}|sms|`) && partOf(lane) === part)
              .sort(compared);
            for (const lane of ofPart.slice(0, reach))
              assert.is(found.includes(lane), some.includes(lane), lane);
          }
        assert.ok(found.length <= 2 * 8 * reach);
      },
    ),
  );
});
