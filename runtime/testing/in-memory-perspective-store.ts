import { type EventOrigin, takesOrigin } from '../../contracts/event-origin.js';
import type { Event } from '../../contracts/message.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { WriteBatch } from '../perspectives/fold/write-batch.js';
import type { StoredModel } from '../perspectives/fold/fold.js';
import type { LogEntry, Page } from '../log/log-entry.js';
import { compareKeys, type OrderKey } from '../log/order-key.js';
import type {
  ParkedRow,
  PerspectiveRewinds,
  PerspectiveStore,
  StoredSnapshot,
} from '../perspectives/perspective-store.js';

const snapshotsKept = 5;

/** The log of a store that also holds events of other stores; unless it is named, the first store that appends is its own. */
export class InMemoryLog {
  readonly entries: LogEntry[] = [];

  constructor(private own?: Uuid) {}

  append(streamId: Uuid, messageType: string, payload: unknown, at: number, store: Uuid): void {
    const stream = this.entries.filter(({ event }) => event.streamId === streamId);
    const position = stream.filter(({ key }) => key.store === store).length + 1;
    const key = { at, store, position };
    this.own ??= store;
    const moment = new Date(at).toISOString();
    this.entries.push({
      key,
      isForeign: store !== this.own,
      late: stream.some((entry) => compareKeys(entry.key, key) > 0),
      event: {
        messageId: newUuid(),
        messageType,
        payload: payload as Event,
        streamId,
        streamPosition: position,
        globalPosition: this.entries.length + 1,
        timestamp: moment,
        occurredAt: moment,
        recordedAt: moment,
        v: 1,
      },
    });
  }
}

/** Decides like the write function in PostgreSQL; rewinds are not supported. It takes all types. */
export class InMemoryPerspectiveStore implements PerspectiveStore {
  readonly rows = new Map<string, StoredModel>();
  readonly #snapshots = new Map<string, StoredSnapshot[]>();
  readonly #parked = new Map<string, ParkedRow>();
  #position: Long = 0;

  constructor(
    private readonly log: InMemoryLog,
    private readonly origin: EventOrigin = 'all',
  ) {}

  position = (): Promise<Long> => Promise.resolve(this.#position);

  page(after: Long, limit: number): Promise<Page> {
    const head = this.log.entries.length;
    const entries = this.#taken(this.log.entries.slice(after)).slice(0, limit);
    const to = entries.length < limit ? head : (entries.at(-1)?.event.globalPosition ?? after);
    return Promise.resolve({ entries, to: Math.max(to, after), head });
  }

  models(keys: readonly string[]): Promise<ReadonlyMap<string, StoredModel>> {
    return Promise.resolve(
      new Map(
        keys.flatMap((key) => {
          const row = this.rows.get(key);
          return row === undefined ? [] : [[key, row] as const];
        }),
      ),
    );
  }

  parked = (): Promise<readonly ParkedRow[]> => Promise.resolve([...this.#parked.values()]);

  release = (): Promise<void> => Promise.resolve();

  snapshot(key: string, below?: OrderKey): Promise<StoredSnapshot | undefined> {
    const all = this.#snapshots.get(key) ?? [];
    return Promise.resolve(all.findLast(({ at }) => below === undefined || compareKeys(at, below) < 0));
  }

  history(streamId: Uuid, after: OrderKey | undefined, to: Long): Promise<readonly LogEntry[]> {
    return Promise.resolve(
      this.#taken(this.log.entries.slice(0, to))
        .filter(
          ({ event, key }) =>
            event.streamId === streamId && (after === undefined || compareKeys(key, after) > 0),
        )
        .toSorted((a, b) => compareKeys(a.key, b.key)),
    );
  }

  write(from: Long, to: Long, batch: WriteBatch): Promise<boolean> {
    if (this.#position !== from) return Promise.resolve(false);
    this.#position = to;
    for (const { key, row } of batch.folded) {
      if (row === null) this.rows.delete(key);
      else this.rows.set(key, row);
    }
    for (const { key, after } of batch.forget)
      this.#keep(
        key,
        (this.#snapshots.get(key) ?? []).filter(({ at }) => compareKeys(at, after) <= 0),
      );
    for (const { key, snapshots } of batch.folded)
      for (const { entry, ...kept } of snapshots)
        this.#keep(key, [
          ...(this.#snapshots.get(key) ?? []),
          { ...kept, position: entry.event.globalPosition, at: entry.key, eventId: entry.event.messageId },
        ]);
    for (const key of batch.released) this.#parked.delete(key);
    for (const row of batch.parked) this.#parked.set(row.key, { ...row, released: false, isWaiting: false });
    return Promise.resolve(true);
  }

  readonly rewinds: PerspectiveRewinds = {
    begin: () => Promise.resolve([]),
    markAnnounced: () => Promise.resolve(),
    unreported: () => Promise.resolve([]),
    markReported: () => Promise.resolve(),
    completed: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };

  #taken(entries: readonly LogEntry[]): readonly LogEntry[] {
    return entries.filter(({ isForeign }) => takesOrigin(this.origin, isForeign));
  }

  #keep(key: string, snapshots: readonly StoredSnapshot[]): void {
    const sorted = snapshots.toSorted((a, b) => compareKeys(a.at, b.at));
    this.#snapshots.set(key, sorted.slice(-snapshotsKept));
  }
}
