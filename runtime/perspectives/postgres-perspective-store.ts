import { isSystemMessage } from '../../contracts/system-messages.js';
import { typeNameOf } from '../../contracts/message.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Database, Row } from '../database/database.js';
import { eventColumns, storedEventOf, systemColumns } from '../store/stored-rows.js';
import { batchJson } from './batch.js';
import type { FoldRules, KeptModel } from './fold.js';
import type { LogEntry, OrderKey } from './log-entry.js';
import type { PerspectiveStore } from './perspective-store.js';
import { postgresRewinds } from './postgres-rewinds.js';

export interface PostgresPerspectiveOptions extends FoldRules {
  readonly database: Database;
  readonly upcasters?: Upcasters | undefined;
  /** Whose lease a write keeps. */
  readonly owner: Uuid;
  readonly leaseMs: number;
}

/** So many positions are looked at for one page, however rare the types are. */
const window = 100_000;

const micros = (column: string): string => `(extract(epoch FROM ${column}) * 1000000)::bigint`;
// Our own columns come first, so that those of a stored event may become more.
const eventEntry = `v.late, ${micros('v.occurred_at')} AS at, (SELECT o.store FROM svc_origins o WHERE o.origin = v.origin) AS store, ${eventColumns}`;
const systemEntry = `false AS late, ${micros('v.recorded_at')} AS at, (SELECT o.store FROM svc_origins o WHERE o.origin = 0) AS store, ${systemColumns}`;
const ownColumns = 3;

export function postgresPerspectiveStore(options: PostgresPerspectiveOptions): PerspectiveStore {
  const { database, table, upcasters, owner, leaseMs } = options;
  const entryOf = (row: Row): LogEntry => logEntryOf(row, upcasters);
  const pageText = pageTextOf(options);
  const one = async (text: string, ...values: unknown[]): Promise<Row | undefined> =>
    (await database.rows({ text, values }))[0];
  return {
    position: async () =>
      Number((await one('SELECT position FROM svc_cursors WHERE name = $1', table.table))?.[0]),
    page: async (after, limit) => {
      const rows = await database.rows({ text: pageText, values: [after, limit, table.types] });
      const head = Number(rows[0]?.[0] ?? 0);
      const entries = rows.filter((row) => row[1] !== null).map((row) => entryOf(row.slice(1)));
      const last = entries.at(-1)?.event.globalPosition ?? after;
      return {
        entries,
        head,
        to: entries.length < limit ? Math.max(after, Math.min(head, after + window)) : last,
      };
    },
    models: async (keys) => {
      const text = `SELECT id, model, tenant, position, applied FROM ${table.table} WHERE id = ANY($1)`;
      const rows = await database.rows({ text, values: [keys] });
      return new Map(rows.map((row) => [row[0] ?? '', keptOf(row.slice(1))]));
    },
    parked: async () => {
      const text =
        'SELECT key, event_id, global_position, error, attempts, released FROM svc_parked WHERE perspective = $1 ORDER BY key';
      const rows = await database.rows({ text, values: [table.table] });
      return rows.map(([key, eventId, position, error, attempts, released]) => ({
        key: key ?? '',
        eventId: eventId ?? '',
        globalPosition: Number(position),
        error: error ?? '',
        attempts: Number(attempts),
        released: released === 't',
      }));
    },
    snapshot: async (key, below) => {
      const row = await one(
        `SELECT model, tenant, global_position, applied, at, store, stream_position, event_id FROM ${table.snapshots}
          WHERE key = $1 AND ($2::bigint IS NULL OR (at, store, stream_position) < ($2::bigint, $3::uuid, $4::bigint))
          ORDER BY at DESC, store DESC, stream_position DESC LIMIT 1`,
        ...[key, below?.at ?? null, below?.store ?? null, below?.position ?? null],
      );
      if (row === undefined) return undefined;
      const [, , , , at, store, position, eventId] = row;
      return { ...keptOf(row), at: keyOf(at, store, position), eventId: eventId ?? '' };
    },
    history: async (streamId, after, to) => {
      const system = streamId === SystemEventStreams.streamId;
      const source = system
        ? `SELECT ${systemEntry} FROM svc_system_events v WHERE $1::uuid IS NOT NULL`
        : `SELECT ${eventEntry} FROM svc_events v WHERE stream_id = $1`;
      const text = `SELECT * FROM (${source} AND event_type = ANY($2) AND global_position <= $3) e
        WHERE $4::bigint IS NULL OR (at, store, stream_position) > ($4::bigint, $5::uuid, $6::bigint)
        ORDER BY at, store, stream_position`;
      const values = [
        streamId,
        table.types,
        to,
        after?.at ?? null,
        after?.store ?? null,
        after?.position ?? null,
      ];
      return (await database.rows({ text, values })).map(entryOf);
    },
    write: async (from, to, batch) => {
      const text = `SELECT ${table.write}($1, $2, $3, $4, $5)`;
      const values = [owner, from, to, leaseMs, batchJson(batch)];
      return (await database.rows({ name: table.write, text, values }))[0]?.[0] === 't';
    },
    rewinds: postgresRewinds(database, table.table),
  };
}

/** Not prepared: a plan made while the log was short would scan all of it for ever after. */
function pageTextOf({ perspective }: FoldRules): string {
  const system = perspective.events.filter(isSystemMessage).map(typeNameOf);
  const where = `WHERE global_position > $1::bigint AND global_position <= $1::bigint + ${window} AND event_type = ANY($3)
    ORDER BY global_position LIMIT $2::int`;
  const sources = [
    ...(system.length < perspective.events.length
      ? [`(SELECT ${eventEntry} FROM svc_events v ${where})`]
      : []),
    ...(system.length > 0 ? [`(SELECT ${systemEntry} FROM svc_system_events v ${where})`] : []),
  ];
  return `SELECT h.head, e.* FROM (SELECT greatest((SELECT max(global_position) FROM svc_events),
      (SELECT max(global_position) FROM svc_system_events), 0) AS head) h
    LEFT JOIN (SELECT * FROM (${sources.join(' UNION ALL ')}) u ORDER BY global_position LIMIT $2::int) e ON true
    ORDER BY e.global_position`;
}

function logEntryOf(row: Row, upcasters: Upcasters | undefined): LogEntry {
  const [late, at, store] = row;
  const stored = storedEventOf(row.slice(ownColumns)) as StoredEvent<Event>;
  const place = { late: late === 't', key: keyOf(at, store, String(stored.streamPosition)) };
  try {
    return { ...place, event: upcasters?.apply(stored) ?? stored };
  } catch (fault) {
    return { ...place, event: stored, fault };
  }
}

const keyOf = (...[at, store, position]: readonly (string | null | undefined)[]): OrderKey => ({
  at: Number(at),
  store: store ?? '',
  position: Number(position),
});

const keptOf = ([model, tenant, position, applied]: Row): KeptModel => ({
  model: model ?? 'null',
  tenant: tenant ?? null,
  position: Number(position),
  applied: Number(applied),
});
