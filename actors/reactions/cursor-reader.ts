import type { Long } from '../../contracts/scalars.js';
import { partOf } from '../../runtime/part-of.js';
import type { CursorEvent, CursorLog } from '../../runtime/reactions/cursor-log.js';
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
  readonly entry: CursorEvent;
}

const pageSize = 256;
/** How many events behind a key are looked up at once. */
const maxFound = 200;

/** The log as one cursor sees it: the events of its partition. */
export class CursorReader {
  constructor(
    private readonly log: CursorLog,
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

  async entryAt(position: Long): Promise<CursorEvent> {
    const { entries } = await this.log.page(position - 1, 1);
    const [entry] = entries;
    if (entry?.event.globalPosition === position) return entry;
    throw new Unhandled(`The event at position ${position} is no longer in the log.`);
  }

  /** Later events of a key; `all`: there are no others. */
  async find(
    key: string,
    after: Long,
    upTo: Long,
  ): Promise<{ readonly positions: Long[]; readonly all: boolean }> {
    const positions: Long[] = [];
    for (let from = after; from < upTo;) {
      if (positions.length >= maxFound) return { positions, all: false };
      const { entries, to } = await this.log.page(from, pageSize);
      for (const entry of entries) {
        const { globalPosition } = entry.event;
        if (globalPosition <= upTo && this.#keyOf(entry) === key && !this.cursor.work.skips(entry))
          positions.push(globalPosition);
      }
      from = to > from ? to : upTo;
    }
    return { positions, all: true };
  }

  /** An event whose key cannot be computed has that of its stream, and fails when it is handled. */
  #keyOf(entry: CursorEvent): string {
    try {
      return this.cursor.work.keyOf(entry);
    } catch {
      return entry.event.streamId;
    }
  }
}
