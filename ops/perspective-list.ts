import { Problem } from '../contracts/problems.js';
import type { Database } from '../runtime/database/database.js';

/** A perspective as the store knows it, whichever host runs it. */
export interface ListedPerspective {
  readonly name: string;
  readonly position: number;
  readonly lag: number;
  /** `live`, `catchingUp`, `rebuilding`, `failed` when its table is gone, or `stopped` when no host runs it. */
  readonly state: string;
}

/** The newest version of each; older ones may run beside it. */
export async function listPerspectives(database: Database): Promise<readonly ListedPerspective[]> {
  const rows = await database.rows({
    text: `SELECT DISTINCT ON (p.name) p.name, c.position, greatest(0, h.head - c.position),
        CASE WHEN EXISTS (SELECT 1 FROM svc_rebuilds r WHERE r.table_name = p.table_name AND r.ended_at IS NULL) THEN 'rebuilding'
          WHEN to_regclass(p.table_name) IS NULL THEN 'failed'
          WHEN c.lease_until <= clock_timestamp() THEN 'stopped'
          WHEN c.position < h.head THEN 'catchingUp' ELSE 'live' END
      FROM svc_perspectives p JOIN svc_cursors c ON c.name = p.table_name
        CROSS JOIN (SELECT greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events), 0) AS head) h
      ORDER BY p.name, p.registered_at DESC`,
  });
  return rows.map(([name, position, lag, state]) => ({
    name: name ?? '',
    position: Number(position),
    lag: Number(lag),
    state: state ?? '',
  }));
}

/** The table of a perspective, and whether a host runs it. */
export async function findPerspective(
  database: Database,
  name: string,
): Promise<{ readonly name: string; readonly table: string; readonly isRun: boolean } | undefined> {
  const [row] = await database.rows({
    text: `SELECT p.table_name, c.lease_until > clock_timestamp() FROM svc_perspectives p JOIN svc_cursors c ON c.name = p.table_name
      WHERE p.name = $1 ORDER BY c.lease_until > clock_timestamp() DESC, p.registered_at DESC LIMIT 1`,
    values: [name],
  });
  return row === undefined ? undefined : { name, table: row[0] ?? '', isRun: row[1] === 't' };
}

export function unknownPerspective(name: string, known: readonly string[]): Problem {
  const others = known.length === 0 ? 'there is none yet' : `there are: ${known.join(', ')}`;
  return new Problem('not-found', { detail: `There is no perspective '${name}'; ${others}.` });
}
