import type { Database } from '../../../runtime/database/database.js';

/** The values of each list, by its index, as they are stored. */
export async function listsIn(
  database: Database,
  lists: readonly string[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await database.rows({
    text: `SELECT stream_id, string_agg(data ->> 'value', ',' ORDER BY stream_position)
      FROM svc_event_stream WHERE event_type = 'Appended' GROUP BY 1`,
  });
  const values = new Map(rows.map(([stream, list]) => [stream, (list ?? '').split(',').map(Number)]));
  return new Map(lists.map((stream, key) => [key, values.get(stream) ?? []]));
}

/** Values without exactly one EventAudited. */
export async function unauditedIn(database: Database): Promise<number> {
  const [[count] = []] = await database.rows({
    text: `SELECT count(*) FROM (SELECT FROM svc_event_stream e LEFT JOIN svc_system_stream s
      ON s.event_type = 'EventAudited' AND s.data ->> 'originalEventId' = e.event_id::text
      WHERE e.event_type = 'Appended' GROUP BY e.event_id HAVING count(s.event_id) <> 1) v`,
  });
  return Number(count);
}
