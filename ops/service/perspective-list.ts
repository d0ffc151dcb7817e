import { MigrationStatus } from '../../contracts/migration.js';
import { Problem } from '../../contracts/problems.js';
import type { Database } from '../../runtime/database/database.js';
import { emptiedInPlace } from '../../runtime/perspectives/rebuild/served-table.js';
import { tableOfView } from '../../runtime/perspectives/tables/table-of-view.js';

/** A perspective as the store knows it, whichever host runs it. */
export interface ListedPerspective {
  readonly name: string;
  /** The position of the model that readers see. */
  readonly position: number;
  /** The number of events missing from the model, including those that its parked rows miss. */
  readonly lag: number;
  /**
   * `live`; `parked` when rows wait for a repair; `catchingUp`; `rebuilding`; `incomplete` when a rebuild in place
   * failed; `failed` when the table is missing or the newest version could not be replayed; `stopped` when no host runs
   * it.
   */
  readonly state: string;
  /** The number of parked rows. */
  readonly parked?: number;
  /** Why the newest version is not served, or the oldest parked row cannot be folded. */
  readonly error?: string;
}

// A parked stream misses all its events since the failure; a row of several streams misses at least the one that
// failed. The key is cast, not the column, which has an index; a key that is no id is of an event without a key.
const streamOfKey = `CASE WHEN k.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN k.key END::uuid`;
const missed = `(SELECT coalesce(sum(CASE WHEN v.by_stream THEN (SELECT count(*) FROM svc_events e WHERE e.stream_id = ${streamOfKey}
      AND e.event_type = ANY(v.types) AND (v.origin = 'all' OR (e.origin <> 0) = (v.origin = 'others')) AND e.global_position BETWEEN k.position AND c.position) ELSE 1 END), 0)
    FROM svc_stuck_work k JOIN svc_perspectives v ON v.table_name = k.follower WHERE k.follower = s.served)`;

/** Lists each as readers see it: a version that could not be replayed, or was rolled back, is not served. */
export async function listPerspectives(
  database: Pick<Database, 'rows'>,
): Promise<readonly ListedPerspective[]> {
  const rows = await database.rows({
    text: `SELECT DISTINCT ON (p.name) p.name, c.position, greatest(0, h.head - c.position) + ${missed},
        CASE WHEN EXISTS (SELECT 1 FROM svc_rebuilds r WHERE r.table_name = p.table_name AND r.ended_at IS NULL) THEN 'rebuilding'
          WHEN m.status = ${MigrationStatus.Failed} OR to_regclass(s.served) IS NULL THEN 'failed'
          WHEN ${emptiedInPlace('true', 's.served')} THEN 'incomplete'
          WHEN NOT EXISTS (SELECT 1 FROM svc_leases l WHERE l.name IN (p.table_name, s.served) AND l.lease_until > clock_timestamp())
            THEN 'stopped'
          WHEN c.position < h.head THEN 'catchingUp'
          WHEN n.parked > 0 THEN 'parked' ELSE 'live' END, n.parked,
        CASE WHEN m.status = ${MigrationStatus.Failed}
          THEN 'readers see the version before, the newest could not be replayed: ' || m.status_description
          ELSE (SELECT k.error FROM svc_stuck_work k WHERE k.follower = s.served ORDER BY k.position, k.key LIMIT 1) END
      FROM svc_perspectives p LEFT JOIN svc_schema_migrations m ON m.migration_key = 'perspective/' || p.name
          AND ((m.status = ${MigrationStatus.Failed} AND m.state ->> 'failedHash' = p.hash)
            OR (m.status = ${MigrationStatus.MigratingInBackground} AND m.hash = p.hash))
        CROSS JOIN LATERAL (SELECT coalesce(${tableOfView("'svc_per_' || replace(p.name, '-', '_')")}, p.table_name) AS served) s
        JOIN svc_progress c ON c.name = s.served
        CROSS JOIN LATERAL (SELECT count(*) AS parked FROM svc_stuck_work k WHERE k.follower = s.served) n
        CROSS JOIN (SELECT (SELECT svc_head()) AS head) h
      ORDER BY p.name, p.registered_at DESC`,
  });
  return rows.map(([name, position, lag, state, parked, error]) => ({
    name: name ?? '',
    position: Number(position),
    lag: Number(lag),
    state: state ?? '',
    ...(Number(parked) === 0 ? {} : { parked: Number(parked) }),
    ...(typeof error === 'string' ? { error } : {}),
  }));
}

/** The table of a perspective, and whether a host runs it. */
export async function findPerspective(
  database: Database,
  name: string,
): Promise<{ readonly name: string; readonly table: string; readonly isRun: boolean } | undefined> {
  const [row] = await database.rows({
    text: `SELECT p.table_name, coalesce(c.lease_until > clock_timestamp(), false) FROM svc_perspectives p LEFT JOIN svc_leases c ON c.name = p.table_name
      WHERE p.name = $1 ORDER BY coalesce(c.lease_until > clock_timestamp(), false) DESC, p.registered_at DESC LIMIT 1`,
    values: [name],
  });
  return row === undefined ? undefined : { name, table: row[0] ?? '', isRun: row[1] === 't' };
}

export function unknownPerspective(name: string, known: readonly string[]): Problem {
  const others = known.length === 0 ? 'none exists yet' : `there are: ${known.join(', ')}`;
  return new Problem('not-found', { detail: `There is no perspective '${name}'; ${others}.` });
}
