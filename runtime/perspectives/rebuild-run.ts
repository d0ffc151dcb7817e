import { setTimeout as delay } from 'node:timers/promises';
import { RebuildMode } from '../../contracts/perspective.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Session } from '../database/database.js';
import type { FoldFailure, FoldRules } from './fold.js';
import type { FoldThreads } from './fold-thread.js';
import type { LogEntry } from './log-entry.js';
import { changeRebuild, type RebuildChange, type RebuildRecord } from './rebuild-record.js';

export interface RebuildPorts extends FoldRules {
  readonly record: RebuildRecord;
  /** Who carries it out. */
  readonly worker: Uuid;
  /** Of the owner, who may make and rename tables. */
  readonly writer: Session;
  /** Reads the log. */
  readonly reader: Session;
  readonly upcasters?: Upcasters | undefined;
  readonly signal: AbortSignal;
  /** How many positions are read at once, how many rows are kept in memory, and in how many parts it is done. */
  readonly limits?: { readonly page: number; readonly rows: number; readonly parts: number };
  /** Whether other threads can fold too, and where they find the log. */
  readonly threads?: FoldThreads | undefined;
  readonly ownerUrl?: string | undefined;
  /** A row that cannot be folded is parked and told. */
  readonly failed: (failure: FoldFailure) => void;
}

type Totals = Pick<RebuildRecord, 'totalStreams' | 'totalEvents' | 'target'>;

export interface Measured {
  readonly streams: number;
  readonly events: number;
}

/** How far a rebuild is. */
export class RebuildRun {
  readonly #streams = new Set<number>();
  readonly #began = performance.now();
  #met = 0;
  #events: number;
  #totals: Totals;
  #eventsBefore: number;
  /** The last position that is in the model; unknown while it is not done. */
  reached: Long | undefined;

  constructor(readonly ports: RebuildPorts) {
    const { record } = ports;
    this.#events = this.#eventsBefore = record.events;
    const { totalStreams, totalEvents, target } = record;
    this.#totals = { totalStreams, totalEvents, target };
    if (record.state === 'swapped') this.reached = record.position;
  }

  get events(): number {
    return this.#events;
  }

  get totals(): Totals {
    return this.#totals;
  }

  /** Those that a resumed rebuild met before are not known any more: then it is what their share says. */
  get streams(): number {
    const { totalStreams, totalEvents } = this.#totals;
    const before = totalEvents === 0 ? 0 : Math.floor((totalStreams * this.#eventsBefore) / totalEvents);
    return Math.min(totalStreams, Math.max(before, this.#met, this.#streams.size));
  }

  async count(entries: readonly LogEntry[]): Promise<void> {
    // The last twelve digits are enough to tell streams apart, and a number needs little room.
    for (const { event } of entries) this.#streams.add(Number.parseInt(event.streamId.slice(-12), 16));
    await this.pace(entries.length);
  }

  /** Counts what is replayed, and waits when that goes too fast. `met`: how many streams that were, all in all. */
  async pace(events: number, met = 0): Promise<void> {
    const { signal, record } = this.ports;
    signal.throwIfAborted();
    this.#events += events;
    this.#met = Math.max(this.#met, met);
    if (record.maxRate === undefined) return;
    const dueMs = ((this.#events - this.#eventsBefore) * 1_000) / record.maxRate;
    const earlyMs = dueMs - (performance.now() - this.#began);
    if (earlyMs > 1) await delay(earlyMs, undefined, { signal });
  }

  /** A resumed rebuild that has to begin anew counts anew. */
  startOver(): void {
    this.#events = this.#eventsBefore = 0;
  }

  /** How many streams and events there are for the perspective between two positions. */
  async measure(to: Long, after: Long = 0): Promise<Measured> {
    const { reader, table } = this.ports;
    const [row] = await reader.rows({
      text: `SELECT count(*), coalesce(sum(n), 0) FROM (
          SELECT count(*) n FROM svc_events WHERE event_type = ANY($1) AND global_position > $3 AND global_position <= $2 GROUP BY stream_id
          UNION ALL SELECT count(*) FROM svc_system_events WHERE event_type = ANY($1) AND global_position > $3 AND global_position <= $2 HAVING count(*) > 0) s`,
      values: [table.types, to, after],
    });
    return { streams: Number(row?.[0] ?? 0), events: Number(row?.[1] ?? 0) };
  }

  /** What is to be done, as it goes on record. */
  aim(target: Long, { streams, events }: Measured): Totals {
    return (this.#totals = { totalStreams: streams, totalEvents: events, target });
  }

  /** What it came to. */
  async sum(): Promise<Measured> {
    const { totalStreams: streams, totalEvents: events, target } = this.#totals;
    if (this.ports.record.mode === RebuildMode.SelectedStreams) return { streams, events: this.#events };
    if (this.reached === undefined || this.reached <= target) return { streams, events };
    const since = await this.measure(this.reached, target);
    return { streams: streams + (await this.#newStreams(this.reached)), events: events + since.events };
  }

  /** Streams whose first event came after the target. */
  async #newStreams(to: Long): Promise<number> {
    const { reader, table } = this.ports;
    const [row] = await reader.rows({
      text: `SELECT count(DISTINCT v.stream_id) FROM svc_events v WHERE v.event_type = ANY($1) AND v.global_position > $3 AND v.global_position <= $2
        AND NOT EXISTS (SELECT 1 FROM svc_events o WHERE o.stream_id = v.stream_id AND o.event_type = ANY($1) AND o.global_position <= $3)`,
      values: [table.types, to, this.#totals.target],
    });
    return Number(row?.[0] ?? 0);
  }

  /** Over the writer: inside a transaction if there is one. */
  async change(change: RebuildChange): Promise<void> {
    const { writer, record, worker } = this.ports;
    await changeRebuild(writer, record, worker, change);
  }

  async cursor(): Promise<Long> {
    const { reader, table } = this.ports;
    const [row] = await reader.rows({
      text: 'SELECT position FROM svc_cursors WHERE name = $1',
      values: [table.table],
    });
    return Number(row?.[0] ?? 0);
  }

  async head(): Promise<Long> {
    const [row] = await this.ports.reader.rows({
      text: `SELECT greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events), 0)`,
    });
    return Number(row?.[0] ?? 0);
  }
}
