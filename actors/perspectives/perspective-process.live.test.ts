import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { expireLeases, haveCaughtUp, mustHaveBeenKilled, withKilledHosts } from '../testing/killed-hosts.js';
import { systemStreamLike } from '../testing/perspective-hosts.js';
import { untilShared } from '../testing/lease-shares.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('perspectives in processes that die');

const names = ['accounts', 'ledger'];
const views = ['svc_per_accounts', 'svc_per_ledger'];

/** How fast another host takes over is bounded by the lease, on a machine of any speed. */
async function leasesEndWithinFiveSeconds(owner: Database): Promise<void> {
  const [[ms] = []] = await owner.rows({
    text: `SELECT max(extract(epoch FROM lease_until - clock_timestamp()) * 1000)
      FROM svc_leases WHERE name LIKE 'svc_per_%' AND owner IS NOT NULL`,
  });
  assert.ok(Number(ms) < 5_000, `${ms} ms`);
}

const perspectives = '^svc_per_';

test('three hosts share twelve perspectives; when one is killed the others share them once its leases have ended', () =>
  withKilledHosts(async ({ owner, ledger, start }) => {
    const twelve = Array.from({ length: 12 }, (_, index) => `ledger-${index}`);
    const killed = start({ names: twelve });
    await untilShared(owner, perspectives, [12]);
    for (let more = 0; more < 2; more++) start({ names: twelve });
    await untilShared(owner, perspectives, [4, 4, 4]);
    await ledger.write(50);
    await until(haveCaughtUp(owner, 12));
    killed.kill('SIGKILL');
    await leasesEndWithinFiveSeconds(owner);
    await ledger.write(1);
    await untilShared(owner, perspectives, [6, 6]);
    await until(haveCaughtUp(owner, 12));
    await ledger.mustBeIn(...twelve.map((name) => `svc_per_${name.replace('-', '_')}`));
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
      await untilShared(owner, perspectives, [names.length]);
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
