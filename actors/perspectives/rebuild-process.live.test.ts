import * as assert from 'uvu/assert';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { createPerspectiveTables } from '../../runtime/perspectives/create-tables.js';
import { perspectiveTable } from '../../runtime/perspectives/perspective-table.js';
import {
  type KilledHosts,
  expireLeases,
  mustHaveBeenKilled,
  haveCaughtUp,
  withKilledHosts,
} from '../testing/killed-hosts.js';
import { accounts } from '../testing/accounts-perspective.js';
import { systemStreamLike } from '../testing/perspective-hosts.js';
import { until } from '../../runtime/testing/until.js';

const test = suite('rebuilds in processes that die');

const { table } = perspectiveTable(accounts());
const view = 'svc_per_accounts';

const rebuilds = async (owner: Database): Promise<string[]> =>
  (await owner.rows({ text: 'SELECT state FROM svc_rebuilds ORDER BY requested_at' })).map(
    ([state]) => state ?? '',
  );

const untilDone = (owner: Database, count: number) =>
  until(async () => (await rebuilds(owner)).join(' ') === Array(count).fill('done').join(' '));

/** A model that has folded everything, and is wrong. */
async function spoil({ owner, ledger }: KilledHosts): Promise<void> {
  await ledger.write(60);
  await createPerspectiveTables(owner, [perspectiveTable(accounts())]);
  await owner.rows({
    text: `INSERT INTO ${table}(id, model, position, applied, updated_at)
      SELECT stream_id, '{"amounts": [666]}', max(global_position), count(*), now() FROM svc_events GROUP BY 1`,
  });
  await owner.rows({
    text: 'UPDATE svc_cursors SET position = (SELECT max(global_position) FROM svc_events) WHERE name = $1',
    values: [table],
  });
}

const mustBeReportedOnce = async (owner: Database): Promise<void> => {
  const events = (await systemStreamLike(owner, 'PerspectiveRebuild%')).map(([type]) => type);
  const ends = events.filter((type) => type !== 'PerspectiveRebuildProgress');
  assert.equal(ends, ['PerspectiveRebuildStarted', 'PerspectiveRebuildCompleted']);
};

const { BlueGreen, InPlace } = RebuildMode;
const deaths = [
  [BlueGreen, 'rebuild-after-page'],
  [BlueGreen, 'rebuild-after-write'],
  [BlueGreen, 'rebuild-after-replay'],
  [BlueGreen, 'rebuild-after-verify'],
  [BlueGreen, 'rebuild-before-swap'],
  [BlueGreen, 'rebuild-after-swap'],
  [InPlace, 'rebuild-after-truncate'],
  [InPlace, 'rebuild-after-page'],
] as const;

for (const [mode, failpoints] of deaths)
  test(`a ${mode} rebuild that dies at ${failpoints} is continued by another host, and reported once`, () =>
    withKilledHosts(async (hosts) => {
      const { owner, ledger, start } = hosts;
      await spoil(hosts);
      await mustHaveBeenKilled(start({ mode, failpoints }));
      if (mode === BlueGreen) {
        const seen = await owner.rows({
          text: `SELECT model = '{"amounts": [666]}', count(*) FROM ${view} GROUP BY 1`,
        });
        assert.equal(seen, [[failpoints === 'rebuild-after-swap' ? 'f' : 't', String(ledger.size)]]);
      }
      await expireLeases(owner);
      await ledger.write(60);
      start();
      await untilDone(owner, 1);
      await until(haveCaughtUp(owner, 1));
      await ledger.mustBeIn(view);
      await mustBeReportedOnce(owner);
    }));

test('a rebuild whose host was killed stays with it until its lease ends, and then continues on another host', () =>
  withKilledHosts(async (hosts) => {
    const { owner, ledger, start } = hosts;
    await spoil(hosts);
    const leases = { leaseMs: 1_000, renewMs: 300 };
    await mustHaveBeenKilled(start({ mode: BlueGreen, failpoints: 'rebuild-after-page', leases }));
    const left = `SELECT owner, lease_until, lease_until > clock_timestamp() FROM svc_rebuilds`;
    const [[dead, leaseEnd, isLeased] = []] = await owner.rows({ text: left });
    assert.is(isLeased, 't', 'the lease ended too soon to be measured');
    start({ leases });
    await until(async () => (await owner.rows({ text: left }))[0]?.[0] !== dead);
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
