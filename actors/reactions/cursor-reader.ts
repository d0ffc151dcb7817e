import type { Long } from '../../contracts/scalars.js';
import { partOf } from '../../runtime/lang/part-of.js';
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

const pageSize = 256;
/** Of what is looked up: requests wait while a page is decoded. */
const lookUpSize = 64;
/** How many events behind a key are looked up at once, and behind all of them. */
const maxFound = 200;
const maxFoundInAll = 100_000;

/** The log as one cursor sees it: the events of its partition. */
export class CursorReader {
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
    const { entries } = await this.log.page(position - 1, 1);
    const [entry] = entries;
    if (entry?.event.globalPosition === position) return entry;
    throw new Unhandled(`The event at position ${position} is no longer in the log.`);
  }

  /** Later events of some keys, each behind the event it is at, in one pass over the log; each page is read when it is its turn. */
  async find(
    after: ReadonlyMap<string, Long>,
    upTo: Long,
    inTurn: (read: () => Promise<Page>) => Promise<Page>,
  ): Promise<ReadonlyMap<string, FoundEvents>> {
    const found = new Map([...after.keys()].map((key) => [key, { positions: [] as Long[], all: true }]));
    let [left, open] = [maxFoundInAll, after.size];
    let from = [...after.values()].reduce((least, position) => Math.min(least, position), upTo);
    while (from < upTo && left > 0 && open > 0) {
      const start = from;
      const { entries, to } = await inTurn(() => this.log.page(start, lookUpSize));
      for (const entry of entries) {
        const key = this.#keyOf(entry);
        const [at, behind] = [entry.event.globalPosition, found.get(key)];
        if (behind === undefined || at <= (after.get(key) ?? upTo) || at > upTo) continue;
        if (!behind.all || this.cursor.work.skips(entry)) continue;
        left--;
        if (behind.positions.push(at) < maxFound) continue;
        behind.all = false;
        open--;
      }
      from = to > from ? to : upTo;
    }
    if (from < upTo) for (const behind of found.values()) behind.all = false;
    return found;
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
