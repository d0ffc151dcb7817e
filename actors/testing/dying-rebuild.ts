import * as assert from 'uvu/assert';
import { RebuildMode } from '../../contracts/perspective.js';
import type { Database } from '../../runtime/database/database.js';
import { createPerspectiveTables } from '../../runtime/perspectives/tables/create-tables.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import {
  type KilledHosts,
  expireLeases,
  mustHaveBeenKilled,
  haveCaughtUp,
  withKilledHosts,
} from './killed-hosts.js';
import { accounts } from './accounts-perspective.js';
import { systemStreamLike } from './perspective-hosts.js';
import { until } from '../../runtime/kit/until.js';

export const table = perspectiveTable(accounts()).table;
export const view = 'svc_per_accounts';

const rebuilds = async (owner: Database): Promise<string[]> =>
  (await owner.rows({ text: 'SELECT state FROM svc_rebuilds ORDER BY requested_at' })).map(
    ([state]) => state ?? '',
  );

export const untilDone = (owner: Database, count: number) =>
  until(async () => (await rebuilds(owner)).join(' ') === Array(count).fill('done').join(' '));

/** A model that has folded everything, and is wrong. */
export async function spoil({ owner, ledger }: KilledHosts): Promise<void> {
  await ledger.write(60);
  await createPerspectiveTables(owner, [perspectiveTable(accounts())]);
  await owner.rows({
    text: `INSERT INTO ${table}(id, model, position, applied, updated_at)
      SELECT stream_id, '{"amounts": [666]}', max(global_position), count(*), now() FROM svc_events GROUP BY 1`,
  });
  await owner.rows({
    text: 'UPDATE svc_progress SET position = (SELECT max(global_position) FROM svc_events) WHERE name = $1',
    values: [table],
  });
}

export const mustBeReportedOnce = async (owner: Database): Promise<void> => {
  const events = (await systemStreamLike(owner, 'PerspectiveRebuild%')).map(([type]) => type);
  const ends = events.filter((type) => type !== 'PerspectiveRebuildProgress');
  assert.equal(ends, ['PerspectiveRebuildStarted', 'PerspectiveRebuildCompleted']);
};

/** Expects that another host continues a rebuild that dies at a failpoint, and that it is reported once. */
export const mustBeContinued = (mode: RebuildMode, failpoints: string): Promise<void> =>
  withKilledHosts(async (hosts) => {
    const { owner, ledger, start } = hosts;
    await spoil(hosts);
    await mustHaveBeenKilled(start({ mode, failpoints }));
    if (mode === RebuildMode.BlueGreen) {
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
  });
