import { setTimeout as delay } from 'node:timers/promises';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Session } from '../database/database.js';
import type { FoldFailure, FoldRules } from './fold.js';
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
    return Math.max(this.#streams.size, Math.min(totalStreams, before));
  }

  /** Counts what is replayed, and waits when that goes too fast. */
  async count(entries: readonly LogEntry[]): Promise<void> {
    // The last twelve digits are enough to tell streams apart, and a number needs little room.
    for (const { event } of entries) this.#streams.add(Number.parseInt(event.streamId.slice(-12), 16));
    await this.pace(entries.length);
  }

  async pace(events: number): Promise<void> {
    const { signal, record } = this.ports;
    signal.throwIfAborted();
    this.#events += events;
    if (record.maxRate === undefined) return;
    const dueMs = ((this.#events - this.#eventsBefore) * 1_000) / record.maxRate;
    const earlyMs = dueMs - (performance.now() - this.#began);
    if (earlyMs > 1) await delay(earlyMs, undefined, { signal });
  }

  /** A resumed rebuild that has to begin anew counts anew. */
  startOver(): void {
    this.#events = this.#eventsBefore = 0;
  }

  /** How many streams and events there are for the perspective up to a position. */
  async measure(to: Long): Promise<Measured> {
    const { reader, table } = this.ports;
    const [row] = await reader.rows({
      text: `SELECT (SELECT count(DISTINCT stream_id) FROM svc_events WHERE event_type = ANY($1) AND global_position <= $2)
          + (SELECT count(*) FROM (SELECT 1 FROM svc_system_events WHERE event_type = ANY($1) AND global_position <= $2 LIMIT 1) s),
        (SELECT count(*) FROM svc_events WHERE event_type = ANY($1) AND global_position <= $2)
          + (SELECT count(*) FROM svc_system_events WHERE event_type = ANY($1) AND global_position <= $2)`,
      values: [table.types, to],
    });
    return { streams: Number(row?.[0] ?? 0), events: Number(row?.[1] ?? 0) };
  }

  /** What is to be done, as it goes on record. */
  aim(target: Long, { streams, events }: Measured): Totals {
    return (this.#totals = { totalStreams: streams, totalEvents: events, target });
  }

  /** What it came to. */
  async sum(): Promise<Measured> {
    if (this.ports.record.mode !== 'SelectedStreams')
      return this.measure(this.reached ?? this.#totals.target);
    return { streams: this.#totals.totalStreams, events: this.#events };
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
