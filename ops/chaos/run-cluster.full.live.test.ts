import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { runCluster } from './run-cluster.js';

const test = suite('chaos of a cluster');

test('a monitor ends with exactly the records that two hosts broadcast, whichever process was killed meanwhile', async () => {
  const size = { commands: 300, natsKills: 1, hostKills: 1, monitorStops: 1 };
  const report = await runCluster({ ...size, seed: 11, printProgress: () => undefined });
  const { lost, doubled, unaudited, missing, phantom, strange, disordered, dead } = report;
  assert.is(report.notExchanged, 0);
  assert.equal(
    { lost, doubled, unaudited, missing, phantom, strange, disordered, dead },
    { lost: 0, doubled: 0, unaudited: 0, missing: 0, phantom: 0, strange: 0, disordered: 0, dead: 0 },
    JSON.stringify(report),
  );
  assert.equal([report.faults, report.chainsHold, report.received], [3, true, report.broadcast]);
  assert.ok(report.ok && report.commands >= 300, JSON.stringify(report));
});
