import * as assert from 'uvu/assert';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { haveCaughtUp, mustHaveBeenKilled, withKilledHosts } from '../testing/killed-hosts.js';
import { mustBeReportedOnce, spoil, table, untilDone, view } from '../testing/dying-rebuild.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('rebuilds in processes that die');

const { BlueGreen } = RebuildMode;

test('a rebuild whose host was killed stays with it until its lease ends, and then continues on another host', () =>
  withKilledHosts(async (hosts) => {
    const { owner, ledger, start } = hosts;
    await spoil(hosts);
    const leases = { leaseMs: 2_000, renewMs: 600 };
    await mustHaveBeenKilled(start({ mode: BlueGreen, failpoints: 'rebuild-after-page', leases }));
    // On a busy machine it may have ended before the next host is there.
    const [[dead, leaseEnd] = []] = await owner.rows({
      text: `UPDATE svc_rebuilds SET lease_until = clock_timestamp() + interval '3 seconds' RETURNING owner, lease_until`,
    });
    start({ leases });
    await until(async () => (await owner.rows({ text: 'SELECT owner FROM svc_rebuilds' }))[0]?.[0] !== dead);
    const [isOver] = await owner.rows({ text: 'SELECT clock_timestamp() >= $1', values: [leaseEnd] });
    assert.is(isOver?.[0], 't');
    await untilDone(owner, 1);
    await ledger.mustBeIn(view);
    await mustBeReportedOnce(owner);
  }));

test('while two hosts run and one rebuilds, nothing is lost and readers see complete models only', () =>
  withKilledHosts(async ({ owner, ledger, start }) => {
    await ledger.write(60);
    start();
    await until(haveCaughtUp(owner, 1));
    const counts = new Set<string>();
    const reading = { goesOn: true };
    const reads = (async () => {
      while (reading.goesOn)
        for (const relation of [view, table])
          counts.add((await owner.rows({ text: `SELECT count(*) FROM ${relation}` }))[0]?.[0] ?? '');
    })();
    for (let round = 1; round <= 3; round++) {
      start({ mode: BlueGreen });
      await ledger.write(60);
      await untilDone(owner, round);
    }
    reading.goesOn = false;
    await reads;
    await until(haveCaughtUp(owner, 1));
    await ledger.mustBeIn(view);
    assert.equal([...counts], [String(ledger.size)]);
  }));
