import type { Database } from '../../runtime/database/database.js';
import { streamEvents } from '../console/sources/host/streams-part.js';
import type { Found } from './operator-tool.js';

const pageSize = 200;
/** The audit of an event is in its flush, behind the events of all units. */
const auditedWithin = 10_000;

/** The events of a stream; their contents only as their audits have them, where sensitive values are hidden. */
export async function readStream(
  database: Database,
  streamId: string,
  { after, withBodies }: { readonly after: number; readonly withBodies: boolean },
): Promise<Found> {
  const found = await streamEvents(database, streamId, after, pageSize);
  const events = found?.events ?? [];
  const bodies = withBodies ? await bodiesOf(database, streamId, events) : new Map<number, unknown>();
  const rows = events.map((event) =>
    bodies.has(event.position) ? { ...event, body: bodies.get(event.position) } : event,
  );
  const last = events.at(-1)?.position;
  const next = last === found?.last ? undefined : last;
  return { rows, next, positions: events.map(({ position }) => position) };
}

async function bodiesOf(
  database: Database,
  streamId: string,
  events: readonly { readonly globalPosition: number }[],
): Promise<ReadonlyMap<number, unknown>> {
  const positions = events.map(({ globalPosition }) => globalPosition);
  const rows = await database.rows({
    text: `SELECT original_position, data -> 'originalBody' FROM unnest($2::bigint[]) p
      JOIN svc_system_events ON global_position > p AND global_position <= p + ${auditedWithin}
      WHERE event_type = 'EventAudited' AND data ->> 'originalStreamId' = $1`,
    values: [streamId, positions],
  });
  return new Map(rows.map(([position, body]) => [Number(position), JSON.parse(body ?? 'null') as unknown]));
}
