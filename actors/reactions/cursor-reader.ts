import { isUuid, type Long, type Uuid } from '../../contracts/scalars.js';
import { partOf } from '../../runtime/lang/part-of.js';
import { readTogether } from '../../runtime/lang/read-together.js';
import type { LogEntry, LogReader, Page } from '../../runtime/log/log-entry.js';
import type { CursorWork } from '../steps/cursor-work.js';
import { Unhandled } from '../steps/step-errors.js';
import type { EventFigures } from './event-figures.js';

/** One partition of a reaction or process. */
export interface Cursor {
  readonly name: string;
  readonly part: number;
  readonly work: CursorWork;
}

interface KeyedEvent {
  readonly key: string;
  readonly entry: LogEntry;
}

interface FoundEvents {
  readonly positions: readonly Long[];
  /** There are no others. */
  readonly all: boolean;
}

type Found = Map<string, { readonly positions: Long[]; all: boolean }>;

/** Looks for what is behind keys. */
interface Search {
  /** The events that the keys are at. */
  readonly after: ReadonlyMap<string, Long>;
  readonly upTo: Long;
  /** Reads a page when it is its turn. */
  readonly inTurn: (read: () => Promise<Page>) => Promise<Page>;
  /** How many events more one answer takes. */
  left: number;
}

const pageSize = 256;
/** Of what is looked up: requests wait while a page is decoded. */
const lookUpSize = 64;
/** How many streams one statement looks up. */
const streamsAtOnce = 200;
/** Each page of streams reads all that is left of them: where there are more, the log is read instead. */
const maxStreamPages = 8;
/** How many events behind a key are looked up at once, and behind all of them. */
const maxFound = 200;
const maxFoundInAll = 100_000;

/** The log as one cursor sees it: the events of its partition. */
export class CursorReader {
  /** The keys that are tried at the same time need one statement. */
  readonly #entryAt = readTogether((positions: readonly Long[]) => this.#entriesAt(positions));

  constructor(
    private readonly log: LogReader,
    private readonly cursor: Cursor,
    private readonly figures: Pick<EventFigures, 'count'>,
  ) {}

  /** `isLast`: the log had no more. */
  async page(
    after: Long,
  ): Promise<{ readonly events: readonly KeyedEvent[]; readonly to: Long; readonly isLast: boolean }> {
    const { entries, to, head } = await this.log.page(after, pageSize);
    const { work, part } = this.cursor;
    const ours = entries
      .map((entry) => ({ key: this.#keyOf(entry), entry }))
      .filter(({ key }) => partOf(key) === part);
    const events = ours.filter(({ entry }) => !work.skips(entry));
    this.figures.count('skipped', ours.length - events.length);
    return { events, to, isLast: to >= head };
  }

  async entryAt(position: Long): Promise<LogEntry> {
    const entry = await this.#entryAt(position);
    if (entry !== undefined) return entry;
    throw new Unhandled(`The event at position ${position} is no longer in the log.`);
  }

  /** Later events of some keys, each behind the event it is at. */
  async find(
    after: ReadonlyMap<string, Long>,
    upTo: Long,
    inTurn: Search['inTurn'],
  ): Promise<ReadonlyMap<string, FoundEvents>> {
    const search: Search = { after, upTo, inTurn, left: maxFoundInAll };
    const keys = [...after.keys()];
    if (this.cursor.work.isKeyedByStream !== true) return this.#search(keys, search, []);
    // Another key is one of an earlier version of the application, and no stream.
    const found: Found = new Map(keys.map((key) => [key, { positions: [], all: true }]));
    const streams = keys.filter(isUuid);
    while (streams.length > 0) {
      const some = streams.splice(0, streamsAtOnce);
      for (const [key, behind] of await this.#search(some, search, some)) found.set(key, behind);
    }
    return found;
  }

  /** In one pass over the log, or over these streams of it. */
  async #search(keys: readonly string[], search: Search, streams: readonly Uuid[]): Promise<Found> {
    const { after, upTo, inTurn } = search;
    const found: Found = new Map(keys.map((key) => [key, { positions: [], all: true }]));
    const only = { streams, behind: streams.map((key) => after.get(key) ?? upTo) };
    let [open, pages] = [keys.length, streams.length === 0 ? 0 : maxStreamPages];
    let from = keys.reduce((least, key) => Math.min(least, after.get(key) ?? upTo), upTo);
    while (from < upTo && search.left > 0 && open > 0) {
      const start = from;
      const part = pages-- > 0 ? only : undefined;
      const { entries, to } = await inTurn(() => this.log.page(start, lookUpSize, part));
      for (const entry of entries) {
        const key = this.#keyOf(entry);
        const [at, behind] = [entry.event.globalPosition, found.get(key)];
        if (behind === undefined || at <= (after.get(key) ?? upTo) || at > upTo) continue;
        if (!behind.all || this.cursor.work.skips(entry)) continue;
        search.left--;
        if (behind.positions.push(at) < maxFound) continue;
        behind.all = false;
        open--;
      }
      from = to > from ? to : upTo;
    }
    if (from < upTo) for (const behind of found.values()) behind.all = false;
    return found;
  }

  async #entriesAt(positions: readonly Long[]): Promise<ReadonlyMap<Long, LogEntry>> {
    const from = Math.min(...positions) - 1;
    const { entries } = await this.log.page(from, positions.length, { positions });
    return new Map(entries.map((entry) => [entry.event.globalPosition, entry]));
  }

  /** An event whose key cannot be computed has that of its stream, and fails when it is handled. */
  #keyOf(entry: LogEntry): string {
    try {
      return this.cursor.work.keyOf(entry);
    } catch {
      return entry.event.streamId;
    }
  }
}
