import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { runChaos } from './run-chaos.js';

const test = suite('chaos');

test('a small seeded run loses nothing, doubles nothing, audits everything, and its chain verifies', async () => {
  const report = await runChaos({ seed: 11, kills: 4, printProgress: () => undefined });
  const { lost, doubled, unaudited, missing, phantom, chain, success, faults } = report;
  assert.equal(
    { lost, doubled, unaudited, missing, phantom },
    { lost: 0, doubled: 0, unaudited: 0, missing: 0, phantom: 0 },
    JSON.stringify(report),
  );
  assert.is(chain.ok, true);
  assert.is(faults, 4);
  assert.ok(success >= 0.9, JSON.stringify(report));
  assert.ok(report.ledgers.ok, JSON.stringify(report.ledgers));
  assert.is(report.ok, true);
});
