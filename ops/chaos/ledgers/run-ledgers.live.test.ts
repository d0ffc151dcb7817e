import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { runLedgers } from './run-ledgers.js';

const test = suite('the ledgers of two hosts that die');

const none = {
  ...{ lost: 0, doubled: 0, unaudited: 0, outOfOrder: 0, phantom: 0, left: 0, mismatched: 0, twoOwners: 0 },
};

for (const leases of [true, false])
  test(`${leases ? 'with' : 'without'} leases, three times kill -9: every effect happens once, in order, audited`, async () => {
    const report = await runLedgers({
      seed: 3,
      sizes: { events: 500, timers: 100, processes: 40, seats: 40 },
      faults: { kills: 3, failpointRounds: 0, freezes: 0, terminations: 0, crashes: 0 },
      leases,
      printProgress: () => undefined,
    });
    const { lost, doubled, unaudited, outOfOrder, phantom, left, mismatched, twoOwners } = report;
    const found = { lost, doubled, unaudited, outOfOrder, phantom, left, mismatched, twoOwners };
    assert.equal(found, none, JSON.stringify(report));
    assert.ok(report.ok, JSON.stringify(report));
    assert.is(report.faults, 3);
    assert.ok((report.stored['Noted'] ?? 0) >= 500);
  });
