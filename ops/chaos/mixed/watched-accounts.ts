import type { Database } from '../../../runtime/database/database.js';
import { positionOf, ReconnectingWatcher } from '../../testing/reconnecting-watcher.js';
import type { LiveEvent } from '../../testing/live-reader.js';
import { holdsWithin } from '../scenarios/scenario.js';

const watchers = 6;
const withinMs = 60_000;

/** What an account holds, from the log. */
interface Account {
  readonly id: string;
  readonly changedAt: number;
  readonly numbers: number;
  readonly sum: number;
}

/** Clients that watch the accounts on one host after the other, whatever happens to these. */
export class WatchedAccounts {
  readonly #watchers: readonly ReconnectingWatcher[];

  constructor(urls: readonly string[]) {
    let next = 0;
    this.#watchers = Array.from(
      { length: watchers },
      () => new ReconnectingWatcher(() => `${urls[next++ % urls.length] ?? ''}/accounts/live`),
    );
  }

  /** From here on nothing may be missed. */
  async watch(): Promise<void> {
    await holdsWithin('everybody watches', withinMs, async () =>
      this.#watchers.every(({ isReady }) => isReady),
    );
  }

  /** Rows of which a watcher has not seen the last change, and no reset after it either. */
  async unseenIn(database: Database): Promise<number> {
    const rows = await database.rows({
      text: `SELECT stream_id::text, max(global_position), count(*), sum((data ->> 'n')::bigint)
        FROM svc_event_stream WHERE event_type = 'Counted' GROUP BY 1`,
    });
    const accounts = rows.map(([id, ...counts]): Account => {
      const [changedAt = 0, numbers = 0, sum = 0] = counts.map(Number);
      return { id: id ?? '', changedAt, numbers, sum };
    });
    const unseen = (): number =>
      this.#watchers.reduce((all, { events }) => all + unseenBy(events, accounts), 0);
    await holdsWithin('watchers have every change', withinMs, async () => unseen() === 0);
    return unseen();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#watchers.map((watcher) => watcher.stop()));
  }
}

function unseenBy(events: readonly LiveEvent[], accounts: readonly Account[]): number {
  const reset = events.findLast(({ event }) => event === 'reset');
  const readAgainAt = reset === undefined ? 0 : positionOf(reset);
  const seen = new Map(events.map(({ data }) => [data.id, data.row]));
  return accounts.filter(({ id, changedAt, numbers, sum }) => {
    const row = seen.get(id);
    return changedAt > readAgainAt && (row?.['numbers'] !== numbers || row['sum'] !== sum);
  }).length;
}
