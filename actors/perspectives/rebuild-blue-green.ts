import { Problem } from '../../contracts/problems.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { inTransaction, lockRetryDefaults } from '../../runtime/database/lock-retry.js';
import { adoptReplay } from '../../runtime/migrations/perspective-items.js';
import { oldModelStays, RebuildReplay } from '../../runtime/perspectives/rebuild/rebuild-replay.js';
import { migrated } from '../../runtime/perspectives/rebuild/rebuild-events.js';
import type { RunningRebuild } from '../../runtime/perspectives/rebuild/running-rebuild.js';
import {
  dropShadow,
  lockCursor,
  shadowOf,
  swapTables,
} from '../../runtime/perspectives/tables/shadow-table.js';
import { type RebuildRounds, type Reports, roundsFor } from './rebuild-round.js';
import { notify } from '../../runtime/database/notify.js';

const order = ['requested', 'replaying', 'verifying', 'swapping', 'swapped'];
/** How many positions may be left when the tables are locked and swapped. */
const nearHead = 500;

/** Builds a table beside the one that readers see, and swaps them when it is complete. */
export class BlueGreenRebuild {
  readonly #replay: RebuildReplay;
  /** The position that an earlier, interrupted run reached. */
  readonly #reached: number;

  constructor(
    private readonly run: RunningRebuild,
    private readonly reports: Reports,
  ) {
    this.#replay = new RebuildReplay(run);
    this.#reached = order.indexOf(run.ports.record.state);
  }

  async prepare(): Promise<void> {
    if (this.#reached <= order.indexOf('replaying')) await this.#replay.prepare();
  }

  async replay(): Promise<void> {
    if (this.#reached <= order.indexOf('replaying')) await this.#replay.replay();
  }

  async verify(): Promise<void> {
    if (this.#reached <= order.indexOf('verifying')) await this.#replay.verify();
  }

  async swap(): Promise<void> {
    if (this.#reached > order.indexOf('swapping')) return;
    const { run } = this;
    const { writer, table, signal, perspective, record } = run.ports;
    const rounds = roundsFor(shadowOf(table), run.ports, this.reports);
    do {
      signal.throwIfAborted();
      await this.#runRound(rounds);
      await run.count(rounds.written);
    } while (rounds.head - rounds.position > nearHead);
    failpoint('rebuild-before-swap');
    let reached = rounds.position;
    let adopted: string | undefined;
    await inTransaction(writer, lockRetryDefaults, async () => {
      const seen = await lockCursor(writer, table);
      const last = roundsFor(shadowOf(table), run.ports, this.reports);
      let events = run.events;
      do {
        await this.#runRound(last);
        events += last.written.length;
      } while (last.position < seen);
      await run.mustKeepRows(shadowOf(table), oldModelStays);
      await writer.rows({ text: 'SET LOCAL synchronous_commit = on' });
      await swapTables(writer, table, last.position);
      const { lostRows } = run;
      await run.update({ state: 'swapped', position: last.position, events, lostRows });
      reached = last.position;
      const description =
        lostRows === 0 ? 'updated by a rebuild' : `updated by force, ${lostRows} rows are parked`;
      adopted = (await adoptReplay(writer, table, perspective.version ?? 1, description))
        ? description
        : undefined;
    });
    await notify(writer, 'svc_lease');
    run.reached = reached;
    failpoint('rebuild-after-swap');
    if (adopted !== undefined) await this.reports.emit(migrated(record, adopted, Date.now()));
  }

  async abandon(): Promise<void> {
    const { writer, table } = this.run.ports;
    await inTransaction(writer, lockRetryDefaults, () => dropShadow(writer, table));
  }

  async #runRound(rounds: RebuildRounds): Promise<void> {
    const end = await rounds.runRound();
    if (end.ended === 'overtaken')
      throw new Problem('rebuild-under-way', { detail: 'Another host writes to the same shadow table.' });
  }
}
