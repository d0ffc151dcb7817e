import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Deciding, wrongDecisions } from '../testing/decider-histories.js';

const test = suite('histories of deciders');

const histories: Readonly<Record<Deciding, number>> = {
  'a decider': 200,
  'a decider that looks at positions': 100,
  'a receptor with a key': 100,
};

for (const [deciding, count] of Object.entries(histories) as [Deciding, number][])
  test(`${count} random histories of ${deciding} with 3 hosts, crashes and clients that go away: no wrong decision, refusals included`, async () => {
    const { wrong, decided } = await wrongDecisions(0, count, deciding);
    assert.equal(wrong, []);
    assert.ok(decided > 0.75, `only ${decided} of the commands were decided`);
  });
