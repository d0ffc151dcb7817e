import type { EventOrigin } from '../../contracts/event-origin.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Database, Row } from '../database/database.js';
import { ofOrigin } from './origin-sql.js';
import { openEvents } from './open-events.js';
import type { OriginStores } from './origin-stores.js';
import { eventColumns } from './stored-rows.js';

interface Received {
  readonly from: Long;
  readonly to: Long | undefined;
  readonly origin: EventOrigin;
}

const pageSize = 1000;
/** In front of the columns of an event: when it happened, and its store. */
const keyColumns = 2;

/** The events of a stream that also come from other stores, in the order in which they happened. */
export async function* readReceived(
  database: Database,
  upcasters: Upcasters,
  origins: OriginStores,
  streamId: Uuid,
  { from, to = Number.MAX_SAFE_INTEGER, origin }: Received,
): AsyncIterable<StoredEvent> {
  const text = `SELECT * FROM (SELECT occurred_at AS at, (SELECT o.store FROM svc_origins o WHERE o.origin = v.origin) AS store, ${eventColumns}
      FROM svc_events v WHERE stream_id = $1 AND stream_position BETWEEN $2 AND $3 AND ${ofOrigin(origin)}) e
    WHERE (SELECT svc_must_hold_streams(ARRAY[$1::uuid], NULL))
      AND ($4::timestamptz IS NULL OR (at, store, stream_position) > ($4, $5::uuid, $6::bigint))
    ORDER BY at, store, stream_position LIMIT ${pageSize}`;
  let last: readonly unknown[] = [null, null, null];
  for (;;) {
    const page = await database.rows({ text, values: [streamId, from, Math.floor(to), ...last] });
    const rows = page.map((row): Row => row.slice(keyColumns));
    const storeOf = await origins.of(rows);
    for (const event of await openEvents(rows, upcasters, storeOf)) yield upcasters.apply(event);
    const end = page.at(-1);
    if (end === undefined || page.length < pageSize) return;
    last = [end[0], end[1], end[keyColumns + 2]];
  }
}
