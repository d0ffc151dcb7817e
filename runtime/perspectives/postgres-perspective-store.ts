import type { Long, Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Database, Row } from '../database/database.js';
import { readObjects } from '../database/read-objects.js';
import { type WriteBatch, batchJson } from './fold/write-batch.js';
import type { FoldRules, StoredModel } from './fold/fold.js';
import type { LogEntry, Page } from '../log/log-entry.js';
import type { OrderKey } from '../log/order-key.js';
import type { LogTail } from '../log/log-tail.js';
import { openEntries } from '../log/open-entries.js';
import { ofOrigin } from '../store/origin-sql.js';
import { missingBefore, releaseParked } from './parked/parked-rows.js';
import type { ParkedRow, PerspectiveRewinds, PerspectiveStore, StoredSnapshot } from './perspective-store.js';
import { keptOf, readStoredModels } from './reads/read-stored-models.js';
import { eventEntry, PostgresLog, systemEntry } from '../log/postgres-log.js';
import { postgresRewinds } from './rewind/postgres-rewinds.js';

interface PostgresPerspectiveOptions extends FoldRules {
  readonly database: Pick<Database, 'rows'> & Partial<Pick<Database, 'changes'>>;
  readonly upcasters?: Upcasters | undefined;
  /** While another owner holds the lease, nothing is written. */
  readonly owner: Uuid;
  /** Reads the tail of the log for all perspectives of a host. */
  readonly tail?: LogTail;
  readonly freezes?: boolean;
}

export class PostgresPerspectiveStore implements PerspectiveStore {
  readonly rewinds: PerspectiveRewinds;
  readonly #log: PostgresLog;
  readonly #types: ReadonlySet<string>;
  /** Of the rows read since the position was read. */
  #epoch = 0;

  constructor(private readonly options: PostgresPerspectiveOptions) {
    this.rewinds = postgresRewinds(options.database, options.table.table);
    this.#log = new PostgresLog(options.database, options.upcasters, options.freezes);
    this.#types = new Set(options.table.types);
  }

  get changes(): number {
    return this.options.database.changes ?? 0;
  }

  async position(): Promise<Long> {
    const text = 'SELECT position, epoch FROM svc_progress WHERE name = $1';
    const [row] = await this.#rows(text, this.options.table.table);
    this.#epoch = Number(row?.[1] ?? 0);
    return Number(row?.[0] ?? 0);
  }

  async page(after: Long, limit: number): Promise<Page> {
    const { perspective, tail, upcasters } = this.options;
    if (tail === undefined) return this.#log.page(perspective, after, limit);
    const page = await tail.page(perspective, this.#types, after, limit);
    return { ...page, entries: await openEntries(page.entries, upcasters) };
  }

  models(keys: readonly string[]): Promise<ReadonlyMap<string, StoredModel>> {
    return readStoredModels(this.options.database, this.options.table, keys);
  }

  parked(keys?: readonly string[]): Promise<readonly ParkedRow[]> {
    return readObjects(this.options.database, {
      text: `SELECT key, message_id AS "eventId", position AS "globalPosition", coalesce(error, '') AS error, attempts,
          state = 'retrying' AS released, ${missingBefore} > 0 AS "isWaiting"
        FROM svc_stuck_work k WHERE follower = $1 AND ($2::text[] IS NULL OR key = ANY($2)) ORDER BY k.key`,
      values: [this.options.table.table, keys ?? null],
    });
  }

  async release(key: string): Promise<void> {
    await releaseParked(this.options.database, this.options.table.table, key);
  }

  async snapshot(key: string, below?: OrderKey): Promise<StoredSnapshot | undefined> {
    const [row] = await this.#rows(
      `SELECT model, tenant, global_position, applied, at, store, stream_position, event_id
        FROM svc_snapshot($1, $2, $3, $4, $5)`,
      ...[this.options.table.snapshots, key, ...orderKeyValues(below)],
    );
    if (row === undefined) return undefined;
    const [, , , , at, store, position, eventId] = row;
    return { ...keptOf(row), at: keyOf(at, store, position), eventId: eventId ?? '' };
  }

  async history(streamId: Uuid, after: OrderKey | undefined, to: Long): Promise<readonly LogEntry[]> {
    const source =
      streamId === SystemEventStreams.streamId
        ? `SELECT ${systemEntry} FROM svc_system_events v WHERE $1::uuid IS NOT NULL`
        : `SELECT ${eventEntry} FROM svc_events v WHERE stream_id = $1 AND ${ofOrigin(this.options.table.origin)}`;
    const text = `SELECT * FROM (${source} AND event_type = ANY($2) AND global_position <= $3) e
      WHERE (SELECT svc_must_hold_streams(ARRAY[$1::uuid], to_timestamp($4::bigint / 1000000.0)))
        AND ($4::bigint IS NULL OR (at, store, stream_position) > ($4::bigint, $5::uuid, $6::bigint))
      ORDER BY at, store, stream_position`;
    const rows = await this.#rows(text, streamId, this.options.table.types, to, ...orderKeyValues(after));
    return this.#log.entriesOf(rows);
  }

  async write(from: Long, to: Long, batch: WriteBatch): Promise<boolean> {
    const { database, table, owner, tail } = this.options;
    const text = `SELECT ${table.write}($1, $2, $3, $4)`;
    const values = [owner, from, to, batchJson(batch, this.#epoch)];
    const [row] = await database.rows({ name: table.write, text, values });
    // Rejected, perhaps because the log holds other events by now.
    if (row?.[0] !== 't') tail?.drop();
    return row?.[0] === 't';
  }

  #rows(text: string, ...values: unknown[]): Promise<Row[]> {
    return this.options.database.rows({ text, values });
  }
}

const orderKeyValues = (key: OrderKey | undefined): unknown[] => [
  key?.at ?? null,
  key?.store ?? null,
  key?.position ?? null,
];

const keyOf = (...[at, store, position]: readonly (string | null | undefined)[]): OrderKey => ({
  at: Number(at),
  store: store ?? '',
  position: Number(position),
});
