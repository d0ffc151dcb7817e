import { MigrationStatus } from '../../contracts/migration.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';

/** The cursor of a perspective, and whether this host runs it. */
export interface PerspectiveLease {
  /** The table, which is also the name of the cursor. */
  readonly table: string;
  readonly held: boolean;
  readonly position: Long;
  readonly remainingMs: number;
  readonly head: Long;
  readonly parked: number;
  readonly released: boolean;
  readonly hasUnreportedRewinds: boolean;
  /** A rebuild of any perspective is requested or running. */
  readonly rebuilding: boolean;
  /** Why readers see the previous version: the replay of this one failed. */
  readonly notServed?: string;
}

/** The lease rows of all perspectives from the point of view of one host. */
export interface PerspectiveLeases {
  /** Renews held leases, acquires free ones, and returns the state of all. */
  acquireLeases(tables: readonly string[], leaseMs: number): Promise<readonly PerspectiveLease[]>;
  release(tables: readonly string[]): Promise<void>;
}

export const postgresLeases = (database: Database, owner: Uuid): PerspectiveLeases => ({
  acquireLeases: async (tables, leaseMs) => {
    const text = `SELECT t.*, EXISTS (SELECT 1 FROM svc_rebuilds WHERE ended_at IS NULL), m.status_description
      FROM svc_perspective_turn($1, $2, $3) t LEFT JOIN svc_perspectives p ON p.table_name = t.name
        LEFT JOIN svc_schema_migrations m ON m.migration_key = 'perspective/' || p.name
          AND m.status = ${MigrationStatus.Failed} AND m.state ->> 'failedHash' = p.hash`;
    const rows = await database.rows({
      name: 'svc_perspective_turn',
      text,
      values: [owner, tables, leaseMs],
    });
    return rows.map(
      ([table, held, position, remainingMs, head, parked, released, hasUnreportedRewinds, ...more]) => ({
        table: table ?? '',
        held: held === 't',
        position: Number(position),
        remainingMs: Number(remainingMs),
        head: Number(head),
        parked: Number(parked),
        released: released === 't',
        hasUnreportedRewinds: hasUnreportedRewinds === 't',
        rebuilding: more[0] === 't',
        ...(typeof more[1] === 'string' ? { notServed: more[1] } : {}),
      }),
    );
  },
  release: async (tables) => {
    const text = 'SELECT svc_release_lease(n, $2) FROM unnest($1::text[]) n';
    await database.rows({ text, values: [tables, owner] });
  },
});
