import { setTimeout as delay } from 'node:timers/promises';
import { RebuildMode } from '../../../contracts/perspective.js';
import type { Long, Uuid } from '../../../contracts/scalars.js';
import type { Upcasters } from '../../../contracts/upcaster.js';
import type { Session } from '../../database/database.js';
import type { FoldFailure, FoldRules } from '../fold/fold.js';
import type { FoldThreads } from './fold-thread.js';
import type { LogEntry } from '../../log/log-entry.js';
import { countUnfolded, type LogCounts } from './count-events-of-parked-rows.js';
import { mustHold, mustHoldStreams } from '../../store/must-hold.js';
import { ofOrigin } from '../../store/origin-sql.js';
import { lostOf, parkedIn, rowsLostProblem } from './rows-lost-by-rebuild.js';
import { changeRebuild, type RebuildChange, type RebuildRecord } from './rebuild-record.js';
import { parkedOf, tableServedInstead } from './served-table.js';
import type { PerspectiveTable } from '../tables/perspective-table.js';

export interface RebuildPorts extends FoldRules {
  readonly record: RebuildRecord;
  /** The worker that runs it. */
  readonly worker: Uuid;
  /** A session of the owner, who may create and rename tables. */
  readonly writer: Session;
  /** Reads the log. */
  readonly reader: Session;
  readonly upcasters?: Upcasters | undefined;
  readonly signal: AbortSignal;
  /** Positions per read, rows kept in memory, and the number of partitions. */
  readonly limits?: { readonly page: number; readonly rows: number; readonly parts: number };
  /** Whether other threads can fold too, and where they find the log. */
  readonly threads?: FoldThreads | undefined;
  readonly ownerUrl?: string | undefined;
  /** Reports a row that cannot be folded and is parked. */
  readonly failed: (failure: FoldFailure) => void;
  /** Called when the counts have changed. */
  readonly counted?: () => void;
}

type Totals = Pick<RebuildRecord, 'totalStreams' | 'totalEvents' | 'target'>;

/** The progress of a rebuild. */
export class RunningRebuild {
  readonly #streams = new Set<number>();
  readonly #began = performance.now();
  #streamsSeen = 0;
  #events: number;
  #totals: Totals;
  #eventsBefore: number;
  /** What each partition has folded of the current page. */
  readonly #reading = new Map<number, number>();
  /** Events that were read and are in no row. */
  #unfolded: LogCounts = { streams: 0, events: 0 };
  /** How many rows that readers had are parked now; then it succeeds only with force. */
  lostRows: number;
  /** The last position in the model; unknown until it is complete. */
  reached: Long | undefined;

  constructor(readonly ports: RebuildPorts) {
    const { record } = ports;
    this.#events = this.#eventsBefore = record.events;
    const { totalStreams, totalEvents, target } = record;
    this.#totals = { totalStreams, totalEvents, target };
    this.lostRows = record.lostRows;
    if (record.state === 'swapped') this.reached = record.position;
  }

  /** How many events were read. */
  get events(): number {
    return this.#events;
  }

  get folded(): number {
    const ofPage = [...this.#reading.values()].reduce((sum, events) => sum + events, 0);
    return Math.max(0, this.#events + ofPage - this.#unfolded.events);
  }

  /** A partition has folded this many events of the current page. */
  reading(partition: number, events: number): void {
    this.#reading.set(partition, events);
    this.ports.counted?.();
  }

  get totals(): Totals {
    return this.#totals;
  }

  /** A resumed rebuild does not know the streams it met before: they are estimated from the share of events. */
  get streams(): number {
    const { totalStreams, totalEvents } = this.#totals;
    const before = totalEvents === 0 ? 0 : Math.floor((totalStreams * this.#eventsBefore) / totalEvents);
    const streamsSeen = Math.min(totalStreams, Math.max(before, this.#streamsSeen, this.#streams.size));
    return Math.max(0, streamsSeen - this.#unfolded.streams);
  }

  async count(entries: readonly LogEntry[]): Promise<void> {
    // The last twelve digits are enough to distinguish streams, and a number needs little memory.
    for (const { event } of entries) this.#streams.add(Number.parseInt(event.streamId.slice(-12), 16));
    await this.throttle(entries.length);
  }

  /** Counts replayed events, and waits when the rate is too high. `streamsSeen`: the total number of streams so far. */
  async throttle(events: number, streamsSeen = 0): Promise<void> {
    const { signal, record } = this.ports;
    signal.throwIfAborted();
    this.#events += events;
    this.#reading.clear();
    this.#streamsSeen = Math.max(this.#streamsSeen, streamsSeen);
    this.ports.counted?.();
    if (record.maxRate === undefined) return;
    const dueMs = ((this.#events - this.#eventsBefore) * 1_000) / record.maxRate;
    const earlyMs = dueMs - (performance.now() - this.#began);
    if (earlyMs > 1) await delay(earlyMs, undefined, { signal });
  }

  /** A resumed rebuild that has to start over also counts from zero. */
  startOver(): void {
    this.#events = this.#eventsBefore = 0;
  }

  /** Refuses, before anything has changed, when a part of the log that it reads is archived. */
  mustHoldHistory(): Promise<void> {
    const { reader, record, table } = this.ports;
    const isOfStreams = record.mode === RebuildMode.SelectedStreams && table.byStream;
    return isOfStreams
      ? mustHoldStreams(reader, record.streams)
      : mustHold(reader, record.position, table.types);
  }

  /** How many streams and events the perspective has between two positions. */
  async countEvents(to: Long, after: Long = 0): Promise<LogCounts> {
    const { reader, table } = this.ports;
    const [row] = await reader.rows({
      text: `SELECT count(*), coalesce(sum(n), 0) FROM (
          SELECT count(*) n FROM svc_events WHERE event_type = ANY($1) AND global_position > $3 AND global_position <= $2
            AND ${ofOrigin(table.origin)} GROUP BY stream_id
          UNION ALL SELECT count(*) FROM svc_system_events WHERE event_type = ANY($1) AND global_position > $3 AND global_position <= $2 HAVING count(*) > 0) s`,
      values: [table.types, to, after],
    });
    return { streams: Number(row?.[0] ?? 0), events: Number(row?.[1] ?? 0) };
  }

  /** The totals to store. */
  setTotals(target: Long, { streams, events }: LogCounts): Totals {
    return (this.#totals = { totalStreams: streams, totalEvents: events, target });
  }

  /** The result: parked events were not folded. */
  async foldedCounts(): Promise<LogCounts> {
    const { totalStreams, totalEvents, target } = this.#totals;
    const { table, record } = this.ports;
    if (record.mode === RebuildMode.SelectedStreams)
      return { streams: totalStreams - this.#unfolded.streams, events: this.#events };
    const to = Math.max(target, this.reached ?? 0);
    const since = to > target ? await this.countEvents(to, target) : { events: 0 };
    const streams = totalStreams + (to > target ? await this.#newStreams(to) : 0);
    const unfolded = await this.countUnfolded(table, to);
    return { streams: streams - unfolded.streams, events: totalEvents + since.events - unfolded.events };
  }

  /** Counts events that are in no row of a table because their row is parked. */
  async countUnfolded(table: PerspectiveTable, to: Long): Promise<LogCounts> {
    const { reader, perspective, upcasters } = this.ports;
    return (this.#unfolded = await countUnfolded(reader, { perspective, table }, upcasters, to));
  }

  setUnfolded(unfolded: LogCounts): void {
    this.#unfolded = unfolded;
  }

  /** Fails when rows that readers have are parked in the built table, unless forced; `stays` describes what readers see now. */
  async mustKeepRows(built: PerspectiveTable, stays: string): Promise<void> {
    const { writer, table, record } = this.ports;
    const parked = await parkedIn(writer, built.table);
    if (parked.length === 0) return;
    const isInPlace = record.mode === RebuildMode.InPlace;
    const served = (isInPlace ? undefined : await tableServedInstead(writer, table)) ?? table.table;
    const before = await parkedOf(writer, served);
    const reached = Math.max(this.#totals.target, await this.cursor(served));
    const lost = lostOf(parked, before, reached);
    if (lost.length > 0 && !record.force) throw rowsLostProblem(table.name, lost, stays);
    this.lostRows = lost.length;
  }

  /** Streams whose first event is after the target. */
  async #newStreams(to: Long): Promise<number> {
    const { reader, table } = this.ports;
    const [row] = await reader.rows({
      text: `SELECT count(DISTINCT v.stream_id) FROM svc_events v WHERE v.event_type = ANY($1) AND v.global_position > $3 AND v.global_position <= $2
        AND ${ofOrigin(table.origin, 'v.origin')} AND NOT EXISTS (SELECT 1 FROM svc_events o WHERE o.stream_id = v.stream_id
          AND o.event_type = ANY($1) AND o.global_position <= $3 AND ${ofOrigin(table.origin, 'o.origin')})`,
      values: [table.types, to, this.#totals.target],
    });
    return Number(row?.[0] ?? 0);
  }

  /** Uses the writer: inside its transaction if there is one. */
  async update(change: RebuildChange): Promise<void> {
    const { writer, record, worker } = this.ports;
    await changeRebuild(writer, record, worker, change);
  }

  async cursor(name = this.ports.table.table): Promise<Long> {
    const [row] = await this.ports.reader.rows({
      text: 'SELECT position FROM svc_progress WHERE name = $1',
      values: [name],
    });
    return Number(row?.[0] ?? 0);
  }

  async head(): Promise<Long> {
    const [row] = await this.ports.reader.rows({ text: 'SELECT svc_head()' });
    return Number(row?.[0] ?? 0);
  }
}
