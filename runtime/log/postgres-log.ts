import type { Followed } from '../../contracts/event-origin.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { type Event, typeNameOf } from '../../contracts/message.js';
import type { Long } from '../../contracts/scalars.js';
import { isSystemMessage } from '../../contracts/system-messages.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Database, Row } from '../database/database.js';
import { freezePlain } from '../lang/plain-state.js';
import { eventColumns, originOf, storedEventOf, systemColumns } from '../store/stored-rows.js';
import type { LogEntry, OnlyThese, Page } from './log-entry.js';
import { entryWith, openEntries } from './open-entries.js';
import { ofOrigin } from '../store/origin-sql.js';

// Our own columns come first, so that columns of stored events can be added.
export const eventEntry = `v.imported, v.late, svc_micros(v.occurred_at) AS at, (SELECT o.store FROM svc_origins o WHERE o.origin = v.origin) AS store, ${eventColumns}`;
export const systemEntry = `false AS imported, false AS late, svc_micros(v.recorded_at) AS at, (SELECT o.store FROM svc_origins o WHERE o.origin = 0) AS store, ${systemColumns}`;
const ownColumns = 4;

/** The log as perspectives read it, page by page. */
export class PostgresLog {
  constructor(
    private readonly database: Pick<Database, 'rows'>,
    private readonly upcasters: Upcasters | undefined,
    /** Whether a follower that changes an event fails: others would read what it has changed. */
    private readonly freezes = false,
  ) {}

  async page(followed: Followed, after: Long, limit: number, only?: OnlyThese): Promise<Page> {
    const page = await this.sealedPage(followed, after, limit, only);
    return { ...page, entries: await openEntries(page.entries, this.upcasters) };
  }

  /** A page that may be kept in memory. */
  async sealedPage(followed: Followed, after: Long, limit: number, only?: OnlyThese): Promise<Page> {
    const types = followed.events.map(typeNameOf);
    const values = [after, limit, types, ...valuesOf(only)];
    const rows = await this.database.rows({ text: pageTextOf(followed, only), values });
    const head = Number(rows[0]?.[0] ?? 0);
    const entries = rows.filter((row) => row[1] !== null).map((row) => this.#entryOf(row.slice(1)));
    const last = entries.at(-1)?.event.globalPosition ?? after;
    const to = entries.length < limit ? Math.max(after, head) : last;
    return { entries, head, to };
  }

  entriesOf(rows: readonly Row[]): Promise<readonly LogEntry[]> {
    return openEntries(
      rows.map((row) => this.#entryOf(row)),
      this.upcasters,
    );
  }

  #entryOf(row: Row): LogEntry {
    const [imported, late, at, store] = row;
    const columns = row.slice(ownColumns);
    const stored = storedEventOf(columns) as StoredEvent<Event>;
    const key = { at: Number(at), store: store ?? '', position: stored.streamPosition };
    const isForeign = originOf(columns) !== undefined;
    const read = {
      late: late === 't',
      key,
      isForeign,
      ...(imported === 't' && { isImported: true as const }),
    };
    const entry = entryWith(read, stored, this.upcasters);
    if (this.freezes) freezePlain(entry.event);
    return entry;
  }
}

/** Not prepared: a plan from the time when the log was short would scan all of it forever. */
function pageTextOf({ events, origin = 'own', passesImported }: Followed, only?: OnlyThese): string {
  const system = events.filter(isSystemMessage).length;
  // Neither an upper bound nor a plain comparison: a planner without statistics would sort all remaining rows for every page.
  const at = only !== undefined && 'positions' in only ? ' AND global_position = ANY($4::bigint[])' : '';
  const where = (isWanted: string, after = '$1::bigint'): string =>
    `WHERE global_position > ${after}${at} AND CASE WHEN ${isWanted} AND event_type = ANY($3) THEN true ELSE false END
    ORDER BY global_position LIMIT $2::int`;
  const ofEvents =
    passesImported === true
      ? where(
          `${ofOrigin(origin)} AND NOT imported`,
          'greatest($1::bigint, svc_imported_to($1::bigint, true))',
        )
      : where(ofOrigin(origin));
  const sources = [
    ...(system < events.length ? [`(SELECT ${eventEntry} FROM ${eventsOf(only)} v ${ofEvents})`] : []),
    ...(system > 0 ? [`(SELECT ${systemEntry} FROM svc_system_events v ${where('true')})`] : []),
  ];
  // As a subquery the head is asked for once, not for every row.
  return `SELECT h.head, e.* FROM (SELECT (SELECT svc_head_after($1, $3)) AS head) h
    LEFT JOIN (SELECT * FROM (${sources.join(' UNION ALL ')}) u ORDER BY global_position LIMIT $2::int) e ON true
    ORDER BY e.global_position`;
}

function valuesOf(only: OnlyThese | undefined): readonly unknown[] {
  if (only === undefined) return [];
  return 'positions' in only ? [only.positions] : [only.streams, only.behind];
}

/** By the index of streams alone: without statistics, a planner would also read the index of positions for each. */
const eventsOf = (only: OnlyThese | undefined): string =>
  only === undefined || 'positions' in only
    ? 'svc_events'
    : `(SELECT e.* FROM unnest($4::uuid[], $5::bigint[]) s(id, behind) CROSS JOIN LATERAL
        (SELECT * FROM svc_events w WHERE w.stream_id = s.id AND w.global_position + 0 > s.behind OFFSET 0) e)`;
