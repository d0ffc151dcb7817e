import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { failpoint } from '../failpoint.js';
import { inTransaction, patienceDefaults } from '../migrations/patience.js';
import { CarefulFolds, foldCarefully } from './careful-folds.js';
import type { FoldRules } from './fold.js';
import { keyOf } from './group.js';
import type { LogEntry } from './log-entry.js';
import { orderedEntries } from './ordered-entries.js';
import type { RebuildRun } from './rebuild-run.js';
import { holdCursor } from './shadow.js';
import { forgetKeys, writeFolded } from './write-folded.js';

const keysAtOnce = 100;
const retryMs = 50;

/** Folds the rows of some streams anew, in the table that readers see: each row changes at once. */
export class StreamsRebuild {
  #keys: readonly string[] = [];

  constructor(private readonly run: RebuildRun) {}

  async prepare(): Promise<void> {
    const { run } = this;
    const { reader, record, table } = run.ports;
    const target = await run.cursor();
    const rows = await reader.rows({
      text: `SELECT stream_id, count(*) FROM svc_events WHERE stream_id = ANY($1) AND event_type = ANY($2) AND global_position <= $3 GROUP BY 1
        UNION ALL SELECT $4::uuid, count(*) FROM svc_system_events WHERE $4 = ANY($1) AND event_type = ANY($2) AND global_position <= $3 HAVING count(*) > 0`,
      values: [record.streams, table.types, target, SystemEventStreams.streamId],
    });
    const found = new Set(rows.map(([stream]) => stream));
    const unknown = record.streams.find((stream) => !found.has(stream));
    if (unknown !== undefined)
      throw new Problem('not-found', {
        detail: `The stream ${unknown} has no event that ${table.name} takes.`,
      });
    const events = rows.reduce((sum, [, count]) => sum + Number(count), 0);
    run.startOver();
    await run.change({ state: 'replaying', ...run.aim(target, { streams: rows.length, events }) });
    this.#keys = table.byStream ? [...found].map(String) : await this.#keysOf();
  }

  async replay(): Promise<void> {
    const { table, signal } = this.run.ports;
    // Rows that gather several streams need the whole log, once for all of them.
    const atOnce = table.byStream ? keysAtOnce : Math.max(1, this.#keys.length);
    for (let at = 0; at < this.#keys.length;) {
      signal.throwIfAborted();
      if (await this.#foldAgain(this.#keys.slice(at, at + atOnce))) at += atOnce;
      failpoint('rebuild-after-page');
    }
  }

  async #keysOf(): Promise<string[]> {
    const { reader, upcasters, record, table, perspective } = this.run.ports;
    const { streams } = record;
    const source = { types: table.types, after: 0, to: this.run.totals.target, order: 'stored' as const };
    const keys = new Set<string>();
    for await (const entries of orderedEntries(reader, { ...source, upcasters, streams }))
      for (const entry of entries)
        if (streams.includes(entry.event.streamId)) keys.add(keyOr({ perspective, table }, entry));
    keys.delete('');
    return [...keys];
  }

  /** False when something late came in between. */
  async #foldAgain(keys: readonly string[]): Promise<boolean> {
    const { ports } = this.run;
    const { reader, writer, upcasters, table, perspective, signal } = ports;
    const make = async (): Promise<CarefulFolds> => {
      const made = new CarefulFolds({ perspective, table }, keys);
      await made.read(reader, upcasters, this.run.totals.target, () => signal.throwIfAborted());
      return made;
    };
    const folds = await foldCarefully(make, (attempt) => delay(retryMs * attempt, undefined, { signal }));
    const isDone = await inTransaction(writer, patienceDefaults, async () => {
      const at = await holdCursor(writer, table);
      if (at > folds.position && !(await folds.read(reader, upcasters, at))) return false;
      await forgetKeys(writer, table, keys);
      await writeFolded(writer, table, folds.folded, folds.parked);
      await writer.rows({
        text: 'UPDATE svc_cursors SET generation = generation + 1 WHERE name = $1',
        values: [table.table],
      });
      return true;
    });
    if (!isDone) {
      const { totalStreams: streams, totalEvents: events } = this.run.totals;
      this.run.aim(await this.run.cursor(), { streams, events });
      return false;
    }
    for (const failure of folds.failures) ports.failed(failure);
    await this.run.pace(folds.events);
    return true;
  }
}

/** An event without a row is parked by itself. */
function keyOr(rules: FoldRules, entry: LogEntry): string {
  try {
    return keyOf(rules, entry);
  } catch {
    return '';
  }
}
