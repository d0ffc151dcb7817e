import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
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

test('lanes of an effect are found from a hand on, in the order of their bytes', () => {
  fc.assert(
    fc.property(
      fc.array(laneName),
      fc.array(laneName),
      fc.option(laneName, { nil: '' }),
      (added, deleted, hand) => {
        const lanes = new LanesInOrder();
        for (const lane of added) lanes.add(lane);
        for (const lane of deleted) lanes.delete(lane);
        const left = [...new Set(added)].filter((lane) => !deleted.includes(lane)).sort(compared);
        const ofEffect = left.filter((lane) => lane.split('|')[1] === 'sms' && compared(lane, hand) >= 0);
        assert.equal(lanes.from('sms', hand, Infinity), ofEffect);
        const first = ofEffect.filter((lane) => lane.startsWith('n')).slice(0, 2);
        assert.equal(
          lanes.from('sms', hand, 2).filter((lane) => lane.startsWith('n')),
          first,
        );
      },
    ),
  );
});
