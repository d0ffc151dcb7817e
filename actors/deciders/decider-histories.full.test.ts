import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Deciding, wrongDecisions } from '../testing/decider-histories.js';

const test = suite('10,000 histories of deciders');

const histories: Readonly<Record<Deciding, number>> = {
  'a decider': 10_000,
  'a decider that looks at positions': 10_000,
  'a receptor with a key': 5_000,
};

for (const [deciding, count] of Object.entries(histories) as [Deciding, number][])
  test(`${count} random histories of ${deciding} with 3 hosts and crashes: no wrong decision, refusals included`, async () => {
    const { wrong } = await wrongDecisions(1_000_000, count, deciding);
    assert.equal(wrong, []);
  });
