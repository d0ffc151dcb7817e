import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../contracts/problems.js';
import type { Uuid } from '../../../contracts/scalars.js';
import { SystemEventStreams } from '../../../contracts/system-stream.js';
import { failpoint } from '../../lang/failpoint.js';
import { inTransaction, lockRetryDefaults } from '../../database/lock-retry.js';
import type { ParkedKey } from '../fold/write-batch.js';
import { StepwiseFolds, foldStepwise } from './stepwise-folds.js';
import { parkedKey } from '../parked/failure-text.js';
import { keylessKeyOf, keysOf } from '../fold/group-by-key.js';
import { lostOf, type LostRow, rowsLostProblem } from './rows-lost-by-rebuild.js';
import { ofOrigin } from '../../store/origin-sql.js';
import { orderedEntries } from '../../log/ordered-entries.js';
import type { ParkedPositions } from './rebuild-record.js';
import type { RunningRebuild } from './running-rebuild.js';
import { parkedOf } from './served-table.js';
import { lockCursor } from '../tables/shadow-table.js';
import { forgetKeys, writeFolded } from '../fold/write-folded.js';

const keysAtOnce = 100;
const retryMs = 50;

/** Folds the rows of some streams again, in the table that readers see: each row changes atomically. */
export class StreamsRebuild {
  #keys: readonly string[] = [];
  /** What was parked before the first host started: a host that resumes must not count rows that the first one parked. */
  #parkedBefore: ParkedPositions = new Map();
  readonly #lost = new Map<string, LostRow>();
  /** Whether rows must lose the values of a forgotten subject. */
  #isForgetting = false;
  #unfoldedStreams = 0;
  #streamsSeen = 0;

  constructor(private readonly run: RunningRebuild) {}

  async prepare(): Promise<void> {
    const { run } = this;
    const { reader, writer, record, table } = run.ports;
    this.#parkedBefore = record.parkedBefore ?? (await parkedOf(writer, table.table));
    const target = await run.cursor();
    const rows = await reader.rows({
      text: `SELECT stream_id, count(*) FROM svc_events WHERE stream_id = ANY($1) AND event_type = ANY($2) AND global_position <= $3
          AND ${ofOrigin(table.origin)} GROUP BY 1
        UNION ALL SELECT $4::uuid, count(*) FROM svc_system_events WHERE $4 = ANY($1) AND event_type = ANY($2) AND global_position <= $3 HAVING count(*) > 0`,
      values: [record.streams, table.types, target, SystemEventStreams.streamId],
    });
    const found = new Set(rows.map(([stream]) => stream));
    const unknown = record.streams.find((stream) => !found.has(stream));
    this.#isForgetting = await this.#endsForgetting();
    if (unknown !== undefined && this.#isForgetting && !table.byStream) throw await this.#needsAll(unknown);
    if (unknown !== undefined && !this.#isForgetting)
      throw new Problem('not-found', {
        detail: `The stream ${unknown} has no event that ${table.name} takes.`,
      });
    const events = rows.reduce((sum, [, count]) => sum + Number(count), 0);
    run.startOver();
    const aim = run.setTotals(target, { streams: rows.length, events });
    await run.update({ ...aim, state: 'replaying', parkedBefore: this.#parkedBefore });
    // A row of which nothing is left in the log is deleted.
    this.#keys = table.byStream ? [...new Set(record.streams)] : await this.#keysOf();
  }

  async replay(): Promise<void> {
    const { table, signal } = this.run.ports;
    // Rows of several streams need the whole log, once for all of them.
    const atOnce = table.byStream ? keysAtOnce : Math.max(1, this.#keys.length);
    for (let at = 0; at < this.#keys.length;) {
      signal.throwIfAborted();
      if (await this.#foldAgain(this.#keys.slice(at, at + atOnce))) at += atOnce;
      failpoint('rebuild-after-page');
    }
  }

  async verify(): Promise<void> {
    const { run } = this;
    const lost = [...this.#lost.values()];
    const { table, record } = run.ports;
    if (lost.length > 0 && !record.force) throw rowsLostProblem(table.name, lost, 'these stay as they were');
    run.lostRows = lost.length;
    await run.update({ lostRows: lost.length });
  }

  async #keysOf(): Promise<string[]> {
    const { reader, upcasters, record, table, perspective, isSensitive } = this.run.ports;
    const rules = { perspective, table, isSensitive };
    const { streams } = record;
    const { types, origin } = table;
    const source = { types, origin, after: 0, to: this.run.totals.target, order: 'stored' as const };
    const keys = new Set<string>();
    const keyless: ParkedKey[] = [];
    for await (const entries of orderedEntries(reader, { ...source, upcasters, streams }))
      for (const entry of entries) {
        if (!streams.includes(entry.event.streamId)) continue;
        try {
          for (const key of keysOf(rules, entry)) keys.add(key);
        } catch (error) {
          keyless.push(parkedKey(rules, keylessKeyOf(entry.event.messageId), { entry, error }, 1));
        }
      }
    const lost = lostOf(keyless, this.#parkedBefore, this.run.totals.target);
    const [first] = keyless;
    if (first !== undefined && this.#isForgetting) throw await this.#needsAll(first.eventId);
    // The row of this event is unknown: with force it stays as it is.
    if (!record.force) for (const row of lost) this.#lost.set(row.key, row);
    return [...keys];
  }

  async #endsForgetting(): Promise<boolean> {
    const { reader, record } = this.run.ports;
    const text = 'SELECT 1 FROM svc_subject_rewinds WHERE rebuild = $1';
    return (await reader.rows({ text, values: [record.id] })).length > 0;
  }

  /** Which row holds the forgotten value is unknown: has the whole model rebuilt instead, at once. */
  async #needsAll(unread: Uuid): Promise<Problem> {
    const { writer, record, table } = this.run.ports;
    await writer.rows({
      text: 'UPDATE svc_subject_rewinds SET whole = true, requested_at = NULL WHERE rebuild = $1',
      values: [record.id],
    });
    return new Problem('rebuild-failed', {
      detail: `${table.name} contains values of a forgotten subject in unknown rows, because ${unread} cannot be read; the whole model is rebuilt.`,
    });
  }

  /** Returns false when a late event arrived in between. */
  async #foldAgain(keys: readonly string[]): Promise<boolean> {
    const { ports } = this.run;
    const { reader, writer, upcasters, table, perspective, isSensitive, signal, record } = ports;
    const make = async (): Promise<StepwiseFolds> => {
      const made = new StepwiseFolds({ perspective, table, isSensitive }, keys);
      await made.read(reader, upcasters, this.run.totals.target, () => signal.throwIfAborted());
      return made;
    };
    const folds = await foldStepwise(make, (attempt) => delay(retryMs * attempt, undefined, { signal }));
    const isDone = await inTransaction(writer, lockRetryDefaults, async () => {
      const at = await lockCursor(writer, table);
      if (at > folds.position && !(await folds.read(reader, upcasters, at))) return false;
      const lost = lostOf(folds.parked, this.#parkedBefore, at);
      // A row that fails stays as it is, for readers and for the runner; the others are complete and are written.
      const failed = new Set(record.force ? [] : folds.parked.map(({ key }) => key));
      await forgetKeys(
        writer,
        table,
        keys.filter((key) => !failed.has(key)),
      );
      const whole = folds.folded.filter(({ key }) => !failed.has(key));
      await writeFolded(writer, table, whole, record.force ? folds.parked : []);
      for (const row of lost) this.#lost.set(row.key, row);
      await writer.rows({
        text: 'UPDATE svc_progress SET epoch = epoch + 1 WHERE name = $1',
        values: [table.table],
      });
      return true;
    });
    if (!isDone) {
      const { totalStreams: streams, totalEvents: events } = this.run.totals;
      this.run.setTotals(await this.run.cursor(), { streams, events });
      return false;
    }
    for (const failure of folds.failures) ports.failed(failure);
    this.#unfoldedStreams += folds.unfoldedStreams;
    this.run.setUnfolded({ events: 0, streams: this.#unfoldedStreams });
    this.#streamsSeen += table.byStream ? keys.length : this.run.totals.totalStreams;
    await this.run.throttle(folds.events, this.#streamsSeen);
    return true;
  }
}
