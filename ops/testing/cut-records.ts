import { execute } from '../../runtime/kit/database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';

/** What operators change, and nothing that a host changes by itself. */
const changed = `SELECT concat_ws(' ', 'letter', id, state, resolved_by) FROM svc_stuck_work WHERE id IS NOT NULL
  UNION ALL SELECT concat_ws(' ', 'released', follower, key) FROM svc_stuck_work WHERE id IS NULL AND state = 'retrying'
  UNION ALL SELECT concat_ws(' ', 'rebuild', name, cancel) FROM svc_rebuilds
  UNION ALL SELECT concat_ws(' ', 'perspective', name) FROM svc_perspectives
  UNION ALL SELECT concat_ws(' ', 'table', relname) FROM pg_class WHERE relname LIKE 'svc\\_old\\_per\\_%' AND relkind = 'r'
  UNION ALL SELECT concat_ws(' ', 'column', attname) FROM pg_attribute WHERE attname LIKE '%\\_\\_svc\\_old' AND NOT attisdropped
  ORDER BY 1`;

export const changedIn = async (url: string): Promise<readonly string[]> =>
  (await rowsOf(url, changed)).flat();

/** The actions that are recorded, with their targets. */
export const recordedIn = async (url: string): Promise<readonly string[]> =>
  (
    await rowsOf(
      url,
      `SELECT concat_ws(' ', data ->> 'action', data ->> 'target') FROM svc_system_events
        WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
    )
  ).flat();

/** While the body runs, the server ends each connection that stores the record of an operator. */
export async function whileRecordsAreCut<T>(url: string, body: () => Promise<T>): Promise<T> {
  await execute(
    url,
    `CREATE OR REPLACE FUNCTION cut_record() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid());
        PERFORM pg_sleep(60);
        RETURN NEW;
      END $$;
    CREATE TRIGGER cut_record BEFORE INSERT ON svc_system_events FOR EACH ROW
      WHEN (NEW.event_type = 'OperatorActed') EXECUTE FUNCTION cut_record()`,
  );
  try {
    return await body();
  } finally {
    await execute(url, 'DROP TRIGGER cut_record ON svc_system_events');
  }
}
