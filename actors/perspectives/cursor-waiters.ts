import type { Long } from '../../contracts/scalars.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';

/** Reads cursors, by table. */
type ReadCursors = (tables: readonly string[]) => Promise<ReadonlyMap<string, Long>>;

export const cursorsOf =
  (connect: () => Promise<StoreConnection>): ReadCursors =>
  async (tables) => {
    const { database } = await connect();
    const text = 'SELECT name, position FROM svc_progress WHERE name = ANY($1)';
    const rows = await database.rows({ text, values: [tables] });
    return new Map(rows.map(([name, position]) => [name ?? '', Number(position)]));
  };

interface Waiter {
  readonly table: string;
  readonly position: Long;
  resolve(): void;
}

const pollMs = 20;

/** All callers that wait for a cursor; while it moves on another host, one query serves them all. */
export class CursorWaiters {
  readonly #waiters = new Set<Waiter>();
  #polling = false;

  constructor(private readonly read: ReadCursors) {}

  wait(table: string, position: Long, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      const waiter: Waiter = {
        table,
        position,
        resolve: () => {
          leave();
          resolve();
        },
      };
      signal?.addEventListener('abort', abort);
      this.#waiters.add(waiter);
      void this.#poll();
    });
  }

  /** A cursor has moved on this host. */
  moved(table: string, position: Long): void {
    for (const waiter of this.#waiters)
      if (waiter.table === table && waiter.position <= position) waiter.resolve();
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    while (this.#waiters.size > 0) {
      const tables = [...new Set([...this.#waiters].map(({ table }) => table))];
      // A store that does not answer is asked again; callers have a signal to give up.
      const cursors = await this.read(tables).catch(() => new Map<string, Long>());
      for (const [table, position] of cursors) this.moved(table, position);
      if (this.#waiters.size > 0) await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    this.#polling = false;
  }
}
