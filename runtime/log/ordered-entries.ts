import type { EventOrigin } from '../../contracts/event-origin.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Session } from '../database/database.js';
import type { LogEntry } from './log-entry.js';
import { ofOrigin } from '../store/origin-sql.js';
import { eventEntry, PostgresLog, systemEntry } from './postgres-log.js';

interface OrderedSource {
  readonly types: readonly string[];
  readonly origin: EventOrigin;
  readonly after: Long;
  readonly to: Long;
  /** `stored`: in log order; `happened`: in order of occurrence. */
  readonly order: 'stored' | 'happened';
  readonly upcasters: Upcasters | undefined;
  /** Only these streams, one after the other. */
  readonly streams?: readonly Uuid[];
}

const fetchSize = 5_000;

/** Entries of the log in another order than that of the log, in chunks; the session is in a transaction meanwhile. */
export async function* orderedEntries(
  session: Session,
  source: OrderedSource,
): AsyncGenerator<readonly LogEntry[]> {
  const { types, after, to, streams, upcasters } = source;
  const log = new PostgresLog(session, upcasters);
  await session.rows({ text: 'BEGIN' });
  try {
    const values: unknown[] = [types, after, to, ...(streams === undefined ? [] : [streams])];
    await session.rows({ text: `DECLARE svc_entries NO SCROLL CURSOR FOR ${textOf(source)}`, values });
    for (;;) {
      const rows = await session.rows({ text: `FETCH ${fetchSize} FROM svc_entries` });
      if (rows.length === 0) break;
      yield await log.entriesOf(rows);
    }
  } finally {
    await session.rows({ text: 'ROLLBACK' });
  }
}

function textOf({ order, origin, streams }: OrderedSource): string {
  const where = 'event_type = ANY($1) AND global_position > $2::bigint AND global_position <= $3::bigint';
  const ofStreams = streams === undefined ? '' : ' AND stream_id = ANY($4)';
  const system =
    streams === undefined || streams.includes(SystemEventStreams.streamId)
      ? [`SELECT ${systemEntry} FROM svc_system_events v WHERE ${where}`]
      : [];
  const domain = `SELECT ${eventEntry} FROM svc_events v WHERE ${where} AND ${ofOrigin(origin)}${ofStreams}`;
  const sources = [domain, ...system];
  const by =
    order === 'stored'
      ? 'global_position'
      : streams === undefined
        ? 'at, store, global_position'
        : 'stream_id, at, store, stream_position';
  return `SELECT * FROM (${sources.join(' UNION ALL ')}) e ORDER BY ${by}`;
}
