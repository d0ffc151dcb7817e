import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { ledgerFaults, reactionFailpoints } from './ledger-faults.js';

const test = suite('the faults of the ledgers');

const counts = { kills: 5, failpointRounds: 2, freezes: 1, terminations: 1, crashes: 1 };

test('every kind happens as often as asked, and every failpoint in every round', () => {
  const faults = ledgerFaults(7, counts);
  assert.is(faults.length, 5 + 2 * reactionFailpoints.length + 3);
  for (const name of reactionFailpoints)
    assert.is(faults.filter((fault) => fault.kind === 'failpoint' && fault.name === name).length, 2);
  assert.is(faults.filter(({ kind }) => kind === 'kill').length, 5);
});

test('the same seed gives the same faults in the same order, another seed others', () => {
  assert.equal(ledgerFaults(7, counts), ledgerFaults(7, counts));
  assert.not.equal(ledgerFaults(7, counts), ledgerFaults(8, counts));
});
