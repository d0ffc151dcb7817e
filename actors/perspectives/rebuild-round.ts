import type { Long } from '../../contracts/scalars.js';
import type { LogEntry } from '../../runtime/log/log-entry.js';
import type { PerspectiveStore } from '../../runtime/perspectives/perspective-store.js';
import { PostgresPerspectiveStore } from '../../runtime/perspectives/postgres-perspective-store.js';
import type { RebuildPorts } from '../../runtime/perspectives/rebuild/running-rebuild.js';
import type { PerspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { RunnerProgress } from './runner-progress.js';
import type { RoundEnd, RoundPorts } from './perspective-round.js';
import { StreamRewind } from './stream-rewind.js';

const settings = { attempts: 3 };
const maxPageSize = 5_000;

/** Drives a runner's rounds directly: events that arrive during a rebuild are folded as usual. */
export class RebuildRounds {
  readonly #progress = new RunnerProgress();
  readonly #rounds: StreamRewind;
  #read: readonly LogEntry[] = [];
  /** What the last round has written. */
  written: readonly LogEntry[] = [];

  constructor(ports: RoundPorts, maxRate = maxPageSize) {
    const watched = { ...ports, store: this.#recording(ports.store) };
    const pageSize = Math.max(1, Math.min(maxPageSize, maxRate));
    this.#rounds = new StreamRewind(watched, { ...settings, pageSize }, this.#progress);
  }

  get position(): Long {
    return this.#progress.position;
  }

  get head(): Long {
    return this.#progress.head;
  }

  async runRound(): Promise<RoundEnd> {
    this.written = [];
    const end = await this.#rounds.run();
    return end.ended === 'late' ? this.#rounds.rewind(end.page) : end;
  }

  #recording(store: PerspectiveStore): PerspectiveStore {
    return {
      position: () => store.position(),
      page: async (after, limit) => {
        const page = await store.page(after, limit);
        this.#read = page.entries;
        return page;
      },
      models: (keys) => store.models(keys),
      parked: (keys) => store.parked(keys),
      release: (key) => store.release(key),
      snapshot: (...args) => store.snapshot(...args),
      history: (...args) => store.history(...args),
      rewinds: store.rewinds,
      write: async (from, to, batch) => {
        const isWritten = await store.write(from, to, batch);
        if (isWritten) this.written = this.#read.filter(({ event }) => event.globalPosition <= to);
        return isWritten;
      },
    };
  }
}

export type Reports = Pick<RoundPorts, 'report' | 'emit'>;

/** Rounds that write to a table over the connection of a rebuild. */
export function roundsFor(
  table: PerspectiveTable,
  { perspective, isSensitive, writer: database, worker: owner, upcasters }: RebuildPorts,
  reports: Reports,
  maxRate?: number,
): RebuildRounds {
  const rules = { perspective, table, isSensitive };
  const store = new PostgresPerspectiveStore({ ...rules, database, owner, upcasters });
  return new RebuildRounds({ ...rules, ...reports, store }, maxRate);
}
