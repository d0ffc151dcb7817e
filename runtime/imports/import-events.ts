import { createHash, type Hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventsImported } from '../../contracts/events/events-imported.js';
import type { Long } from '../../contracts/scalars.js';
import { alone } from '../database/alone.js';
import type { Database, Session } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { nowText } from '../lang/now-text.js';
import { appendRecords, type ChangeRecorder, inRecordedTransaction } from '../store/append-records.js';
import { uuids } from '../store/binary-arrays.js';
import { copiedRow } from './copied-row.js';
import { decideImport, type ImportedRow } from './decide-import.js';
import { columnsOf, importCall } from './import-call.js';
import { importChunks } from './import-chunks.js';
import { ImportPace } from './import-pace.js';
import { type ImportedRange, markRecorded, readKnown, unrecordedImport } from './import-state.js';
import type { FileEvent } from './read-event.js';

export interface ImportOptions {
  readonly recorder: ChangeRecorder;
  readonly actor: string;
  /** The relay sends the events, too. */
  readonly publish: boolean;
  /** Called after each chunk with the last line of it. */
  readonly progress?: (line: number) => void;
}

export interface ImportReport {
  readonly imported: number;
  /** Events that were stored already. */
  readonly present: number;
}

/** Imports events with the connection of the owner. One that dies leaves what it stored, and the next run continues. */
export function importEvents(
  owner: Pick<Database, 'session'>,
  events: AsyncIterable<readonly FileEvent[]>,
  options: ImportOptions,
): Promise<ImportReport> {
  return alone(owner, 'import', async (session) => {
    // Without statistics, the lookup of many ids would scan the log.
    await session.rows({ text: 'SET jit = off; SET enable_seqscan = off' });
    const running = new RunningImport(session, options);
    await running.recordRest();
    return running.run(importChunks(events));
  });
}

class RunningImport {
  readonly #pace = new ImportPace();
  readonly #store: ReturnType<Session['prepared']>;

  constructor(
    private readonly session: Session,
    private readonly options: ImportOptions,
  ) {
    this.#store = session.prepared(importCall);
  }

  async run(chunks: AsyncIterator<readonly FileEvent[]>): Promise<ImportReport> {
    const report = { imported: 0, present: 0 };
    let next = chunks.next();
    for (;;) {
      const { value: events, done } = await next;
      if (done === true) return report;
      const storing = this.#storeChunk(events);
      // The next one is read meanwhile.
      next = chunks.next();
      next.catch(() => undefined);
      const imported = await storing;
      report.imported += imported;
      report.present += events.length - imported;
      this.options.progress?.(events.at(-1)?.line ?? 0);
    }
  }

  /** What a killed import left without its record. */
  async recordRest(): Promise<void> {
    const rest = await unrecordedImport(this.session);
    if (rest !== undefined) await this.#record(rest);
  }

  /** Returns how many events it stored: the others were there. */
  async #storeChunk(chunk: readonly FileEvent[]): Promise<number> {
    const stored = new StoredRange();
    try {
      await this.#storeAll(chunk, stored);
    } catch (error) {
      // If this fails too, the next run records it.
      await this.#record(stored).catch(() => undefined);
      throw error;
    }
    await this.#record(stored);
    return stored.count;
  }

  async #storeAll(chunk: readonly FileEvent[], stored: StoredRange): Promise<void> {
    let rest = chunk;
    // Fewer are tried while others append to the same streams.
    let most = chunk.length;
    while (rest.length > 0) {
      const tried = rest.slice(0, most);
      const known = await readKnown(this.session, tried);
      const { rows } = decideImport(tried, known.stored, known.ends);
      const overtaken = rows[await this.#storeRows(rows, known.head, stored)]?.event;
      rest = rest.slice(overtaken === undefined ? most : rest.indexOf(overtaken));
      most = overtaken === undefined ? most * 2 : Math.max(1, most >> 2);
    }
  }

  /** Returns how many it stored, before others appended to one of the streams. */
  async #storeRows(rows: readonly ImportedRow[], head: Long, stored: StoredRange): Promise<number> {
    if (rows.length === 0) return 0;
    const streams = uuids([...new Set(rows.map(({ event }) => event.streamId))]);
    let known = head;
    for (let done = 0; done < rows.length;) {
      const some = rows.slice(done, done + this.#pace.rows);
      const publish = this.options.publish ? 't' : 'f';
      const answer = this.#store([known, streams, ...columnsOf(some), publish]);
      // Hashed while the server stores them.
      const digest = stored.digestWith(some);
      const [last, waitedMs, lockedMs] = await answer;
      if (last === null || last === undefined) return done;
      known = Number(last);
      stored.add(some.length, known, digest);
      done += some.length;
      failpoint('import-stored');
      const pause = this.#pace.next({
        rows: some.length,
        waitedMs: Number(waitedMs),
        lockedMs: Number(lockedMs),
      });
      if (pause >= 1) await sleep(pause);
    }
    return rows.length;
  }

  async #record({ count, from, to, sha256 }: ImportedRange): Promise<void> {
    if (count === 0) return;
    const { recorder, actor } = this.options;
    const event = new EventsImported({ count, from, to, sha256, actor, timestamp: nowText() });
    const records = recorder.recordOf === undefined ? [] : [recorder.recordOf(event)];
    await inRecordedTransaction(this.session, async () => {
      await this.session.rows({ text: markRecorded });
      if (records.length > 0) await appendRecords(this.session, recorder.host, records);
    });
    recorder.committed?.(records);
    failpoint('import-recorded');
  }
}

/** What is stored of a chunk so far. */
class StoredRange implements ImportedRange {
  count = 0;
  from = 0;
  to = 0;
  #digest = createHash('sha256');

  digestWith(rows: readonly ImportedRow[]): Hash {
    return this.#digest.copy().update(Buffer.concat(rows.map(copiedRow)));
  }

  add(size: number, last: Long, digest: Hash): void {
    if (this.count === 0) this.from = last - size + 1;
    this.count += size;
    this.to = last;
    this.#digest = digest;
  }

  get sha256(): string {
    return this.#digest.copy().digest('hex');
  }
}
