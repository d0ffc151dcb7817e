import type { Long } from '../../contracts/scalars.js';
import type { Followed } from '../../contracts/event-origin.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { LogReader, OnlyThese, Page } from './log-entry.js';
import type { LogTail } from './log-tail.js';
import { carriedEntry } from './open-entries.js';

interface KeptPage extends Page {
  readonly after: Long;
}

/** The cursors of a reaction are never far apart: each waits for its commits. */
const maxPages = 8;

/** Full pages of the log, each read once for all cursors of a reaction that catch up. A full page never changes. */
export class SharedPages implements LogReader {
  readonly #kept: KeptPage[] = [];
  readonly #reading = new Map<Long, Promise<Page>>();
  #seenChanges: number;

  constructor(
    private readonly log: LogReader,
    /** Counts opened and lost connections: another server may never have had what is kept here. */
    private readonly changes: () => number,
  ) {
    this.#seenChanges = changes();
  }

  async page(after: Long, limit: number, only?: OnlyThese): Promise<Page> {
    if (only !== undefined) return this.log.page(after, limit, only);
    const reading = this.#reading.get(after);
    if (reading !== undefined) await reading.catch(() => undefined);
    // One that was not full is read again: it may be older than what wakes this cursor.
    return this.#keptAfter(after, limit) ?? this.#read(after, limit);
  }

  async #read(after: Long, limit: number): Promise<Page> {
    const before = this.changes();
    const reading = this.log.page(after, limit);
    this.#reading.set(after, reading);
    try {
      const page = await reading;
      // One that ends at the head of its time would say the same later.
      const isKept = page.entries.length >= limit && limit > 1 && page.to < page.head;
      if (isKept && this.changes() === before) this.#keep({ ...page, after });
      return page;
    } finally {
      if (this.#reading.get(after) === reading) this.#reading.delete(after);
    }
  }

  #keep(page: KeptPage): void {
    this.#dropIfReconnected();
    this.#kept.push(page);
    if (this.#kept.length > maxPages) this.#kept.shift();
  }

  #keptAfter(after: Long, limit: number): Page | undefined {
    this.#dropIfReconnected();
    const kept = this.#kept.find((page) => page.after <= after && after < page.to);
    if (kept === undefined) return undefined;
    const entries = kept.entries.filter(({ event }) => event.globalPosition > after);
    if (entries.length <= limit) return { ...kept, entries };
    const first = entries.slice(0, limit);
    return { ...kept, entries: first, to: first.at(-1)?.event.globalPosition ?? after };
  }

  #dropIfReconnected(): void {
    const changes = this.changes();
    if (changes !== this.#seenChanges) this.#kept.length = 0;
    this.#seenChanges = changes;
  }
}

/** The events of a reaction or process, for all its cursors on this host. Sealed values stay sealed. */
export function sharedPages(
  followed: Followed,
  tail: LogTail,
  upcasters: Upcasters | undefined,
  changes: () => number,
): LogReader {
  const types = new Set(followed.events.map(({ name }) => name));
  tail.take(followed);
  const page: LogReader['page'] = async (after, limit, only) => {
    const read = await (only === undefined
      ? tail.page(followed, types, after, limit)
      : tail.read(followed, after, limit, only));
    return { ...read, entries: read.entries.map((entry) => carriedEntry(entry, upcasters)) };
  };
  return new SharedPages({ page }, changes);
}
