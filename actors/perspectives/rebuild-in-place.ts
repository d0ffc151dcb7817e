import { setTimeout as delay } from 'node:timers/promises';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { inTransaction, lockRetryDefaults } from '../../runtime/database/lock-retry.js';
import type { RunningRebuild } from '../../runtime/perspectives/rebuild/running-rebuild.js';
import { parkedOf } from '../../runtime/perspectives/rebuild/served-table.js';
import { lockCursor } from '../../runtime/perspectives/tables/shadow-table.js';
import { type RebuildRounds, type Reports, roundsFor } from './rebuild-round.js';
import { notify } from '../../runtime/database/notify.js';

const leaseMs = 4_000;
const pollMs = 200;

/** Empties the table and folds from the first event; readers see it grow. After a crash any runner continues. */
export class InPlaceRebuild {
  constructor(
    private readonly run: RunningRebuild,
    private readonly reports: Reports,
  ) {}

  async prepare(): Promise<void> {
    const { run } = this;
    const { writer, table, record, worker } = run.ports;
    if (record.state !== 'requested') return;
    const target = await run.head();
    const aim = run.setTotals(target, await run.countEvents(target));
    await inTransaction(writer, lockRetryDefaults, async () => {
      await lockCursor(writer, table);
      const parkedBefore = await parkedOf(writer, table.table);
      await writer.rows({ text: `TRUNCATE ${table.table}, ${table.snapshots}` });
      await writer.rows({ text: 'DELETE FROM svc_stuck_work WHERE follower = $1', values: [table.table] });
      await writer.rows({
        text: 'UPDATE svc_progress SET position = 0, epoch = epoch + 1 WHERE name = $1',
        values: [table.table],
      });
      await writer.rows({
        text: `INSERT INTO svc_leases(name, owner, lease_until) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms')
          ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until`,
        values: [table.table, worker, leaseMs],
      });
      await run.update({ ...aim, state: 'replaying', parkedBefore });
    });
    failpoint('rebuild-after-truncate');
  }

  /** The holder of the lease folds; when that is a runner, this only watches. */
  async replay(): Promise<void> {
    const { run } = this;
    const { writer, table, worker, signal } = run.ports;
    const { target } = run.totals;
    let rounds = this.#rounds();
    try {
      for (;;) {
        signal.throwIfAborted();
        await writer.rows({
          text: 'SELECT held FROM svc_take_lease($1, $2, $3)',
          values: [table.table, worker, leaseMs],
        });
        const end = await rounds.runRound();
        await run.count(rounds.written);
        failpoint('rebuild-after-page');
        if (end.ended === 'overtaken') {
          await delay(pollMs, undefined, { signal });
          rounds = this.#rounds();
        }
        if ((end.ended === 'overtaken' ? await run.cursor() : rounds.position) >= target) return;
      }
    } finally {
      await writer.rows({ text: 'SELECT svc_release_lease($1, $2)', values: [table.table, worker] });
      await notify(writer, 'svc_lease');
    }
  }

  /** The old rows cannot be restored: readers see that rows are missing until the next rebuild. */
  async verify(): Promise<void> {
    const { run } = this;
    const { table } = run.ports;
    await run.countUnfolded(table, run.totals.target);
    await run.mustKeepRows(table, 'readers see the rest');
    await run.update({ state: 'verified', lostRows: run.lostRows });
  }

  #rounds(): RebuildRounds {
    const { table, record } = this.run.ports;
    return roundsFor(table, this.run.ports, this.reports, record.maxRate);
  }
}
