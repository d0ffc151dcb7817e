import { type Followed, takesOrigin } from '../../contracts/event-origin.js';
import type { Long } from '../../contracts/scalars.js';
import type { LogEntry, OnlyThese, Page } from './log-entry.js';

type ReadPage = (followed: Followed, after: Long, limit: number, only?: OnlyThese) => Promise<Page>;

/** The tail of the log in memory. */
interface Tail {
  /** Everything after `from` and up to `to` that any perspective takes. */
  readonly from: Long;
  readonly to: Long;
  readonly head: Long;
  readonly entries: readonly LogEntry[];
}

const maxEntries = 4_000;
const refillSize = 2_000;

/** The tail of the log, read once for all perspectives of a host that are at it; one that is further behind reads by itself. */
export class LogTail {
  #tail: Tail | undefined;
  #followed: Followed = { events: [] };
  #running: Promise<void> | undefined;
  #queued: Promise<void> | undefined;

  #seenChanges = 0;

  constructor(
    /** The log itself. */
    readonly read: ReadPage,
    /** Counts opened and lost connections: another server may never have had what is kept here. */
    private readonly changes: () => number = () => 0,
  ) {}

  /** Discards the tail, so that the log is read again. */
  drop(): void {
    this.#tail = undefined;
  }

  /** Adds to what is read for all perspectives of the host. */
  take(more: Followed): void {
    const { events, origin } = this.#followed;
    const isSame = events.length === 0 || (origin ?? 'own') === (more.origin ?? 'own');
    this.#followed = {
      events: [...new Set([...events, ...more.events])],
      origin: isSame ? more.origin : 'all',
    };
    this.#tail = undefined;
  }

  async page(followed: Followed, types: ReadonlySet<string>, after: Long, limit: number): Promise<Page> {
    this.#dropIfReconnected();
    if (this.#covers(after)) {
      if (after === this.#tail?.to) await this.#refresh();
      this.#dropIfReconnected();
      const page = this.#pageAfter(followed, types, after, limit);
      if (page !== undefined) return page;
    }
    const page = await this.read(followed, after, limit);
    if (page.to === page.head && (this.#tail === undefined || this.#tail.to < page.head))
      this.#tail = { from: page.head, to: page.head, head: page.head, entries: [] };
    return page;
  }

  #dropIfReconnected(): void {
    const changes = this.changes();
    if (changes !== this.#seenChanges) this.drop();
    this.#seenChanges = changes;
  }

  #covers(after: Long): boolean {
    return this.#tail !== undefined && this.#tail.from <= after && after <= this.#tail.to;
  }

  #pageAfter(
    { origin, passesImported }: Followed,
    types: ReadonlySet<string>,
    after: Long,
    limit: number,
  ): Page | undefined {
    const tail = this.#tail;
    if (tail === undefined || !this.#covers(after)) return undefined;
    const entries: LogEntry[] = [];
    for (let index = firstAfter(tail.entries, after); index < tail.entries.length; index++) {
      const entry = tail.entries[index];
      if (entry === undefined || !types.has(entry.event.messageType)) continue;
      if (!takesOrigin(origin, entry.isForeign)) continue;
      if (passesImported === true && entry.isImported === true) continue;
      if (entries.length === limit)
        return { entries, to: entries.at(-1)?.event.globalPosition ?? after, head: tail.head };
      entries.push(entry);
    }
    return { entries, to: tail.to, head: tail.head };
  }

  /** A call during a read waits for the next one: the current read may have started too early. */
  #refresh(): Promise<void> {
    if (this.#running === undefined) return (this.#running = this.#fill());
    this.#queued ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#queued = undefined;
        return (this.#running = this.#fill());
      });
    return this.#queued;
  }

  async #fill(): Promise<void> {
    const before = this.#tail;
    try {
      if (before === undefined) return;
      const page = await this.read(this.#followed, before.to, refillSize);
      // It may have been replaced meanwhile, or have fallen behind.
      if (this.#tail !== before) return;
      const entries = [...before.entries, ...page.entries];
      const dropped = entries.length > maxEntries ? entries.splice(0, entries.length - maxEntries) : [];
      const from = dropped.at(-1)?.event.globalPosition ?? before.from;
      // A log that ends before the tail is not the log that the tail was read from.
      this.#tail =
        page.to < page.head || page.head < before.to
          ? undefined
          : { from, to: page.to, head: page.head, entries };
    } finally {
      this.#running = undefined;
    }
  }
}

/** The index of the first entry behind a position. */
function firstAfter(entries: readonly LogEntry[], position: Long): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.event.globalPosition ?? Infinity) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
