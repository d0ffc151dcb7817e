import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { expireLeases, haveCaughtUp, mustHaveBeenKilled, withKilledHosts } from '../testing/killed-hosts.js';
import { systemStreamLike } from '../testing/perspective-hosts.js';
import { until } from '../../runtime/testing/until.js';

const test = suite('perspectives in processes that die');

const names = ['accounts', 'ledger'];
const views = ['svc_per_accounts', 'svc_per_ledger'];

const cursors = (owner: Database) =>
  owner.rows({
    text: "SELECT name, owner, position FROM svc_cursors WHERE name LIKE 'svc_per_%' ORDER BY name",
  });

const untilRun = (owner: Database) =>
  until(async () => (await cursors(owner)).filter(([, by]) => by !== null).length === names.length);

/** So that a test does not measure how long a process takes to start. */
const untilListening = (owner: Database, hosts: number) =>
  until(async () => {
    const text =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'";
    return (await owner.rows({ text })).length === hosts;
  });

/** How fast another host takes over is bounded by the lease, on a machine of any speed. */
async function leasesEndWithinFiveSeconds(owner: Database): Promise<void> {
  const [[ms] = []] = await owner.rows({
    text: `SELECT max(extract(epoch FROM lease_until - clock_timestamp()) * 1000)
      FROM svc_cursors WHERE name LIKE 'svc_per_%' AND owner IS NOT NULL`,
  });
  assert.ok(Number(ms) < 5_000, `${ms} ms`);
}

test('two hosts share the perspectives; when one is killed the other runs them once its leases have ended', () =>
  withKilledHosts(async ({ owner, ledger, start }) => {
    const first = start({ names });
    await untilRun(owner);
    const before = await cursors(owner);
    start({ names });
    await untilListening(owner, 2);
    await ledger.write(100);
    await until(haveCaughtUp(owner, 2));
    assert.equal(
      (await cursors(owner)).map(([, by]) => by),
      before.map(([, by]) => by),
    );
    first.kill('SIGKILL');
    await leasesEndWithinFiveSeconds(owner);
    await ledger.write(1);
    await until(haveCaughtUp(owner, 2));
    await ledger.mustBeIn(...views);
  }));

test('a frozen host is replaced once its leases have ended, and does no harm when it wakes up', () =>
  withKilledHosts(async ({ owner, ledger, start }) => {
    const frozen = start({ names });
    await untilRun(owner);
    start({ names });
    await untilListening(owner, 2);
    await ledger.write(30);
    frozen.kill('SIGSTOP');
    await leasesEndWithinFiveSeconds(owner);
    await ledger.write(50);
    await until(haveCaughtUp(owner, 2));
    frozen.kill('SIGCONT');
    await ledger.write(50);
    await until(haveCaughtUp(owner, 2));
    await ledger.mustBeIn(...views);
  }));

for (const failpoints of [
  'perspective-before-write@3',
  'perspective-after-write@3',
  'rewind-after-started@2',
  'rewind-before-close',
])
  test(`a host that dies at ${failpoints} loses nothing, and reports nothing twice`, () =>
    withKilledHosts(async ({ owner, ledger, start }) => {
      await ledger.write(5);
      const killed = mustHaveBeenKilled(start({ names, failpoints }));
      await untilRun(owner);
      await ledger.write(150);
      await killed;
      await expireLeases(owner);
      start({ names });
      await until(haveCaughtUp(owner, 2));
      await ledger.mustBeIn(...views);
      await until(async () => (await owner.rows({ text: 'SELECT 1 FROM svc_rewinds' })).length === 0);
      const events = await systemStreamLike(owner, '%Rewind%');
      const starts = events.filter(([type]) => type === 'StreamRewindStarted').length;
      assert.ok(starts > 0);
      assert.is(events.filter(([type]) => type === 'StreamRewindCompleted').length, starts);
      const pairs = (type: string) => events.filter(([name]) => name === type).length;
      assert.is(pairs('PerspectiveRewindStarted'), pairs('PerspectiveRewindCompleted'));
      const replayed = (type: string, field: string) =>
        events.filter(([name]) => name === type).reduce((sum, [, data]) => sum + Number(data[field]), 0);
      assert.is(
        replayed('StreamRewindCompleted', 'totalEventsReplayed'),
        replayed('PerspectiveRewindCompleted', 'eventsReplayed'),
      );
    }));
