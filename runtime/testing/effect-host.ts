import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { postgresEffectStore } from '../effects/postgres-effect-store.js';
import type { MigratedDatabase } from './migrated-database.js';

/** A host that has the leases of all partitions. */
export async function hostOf({ connect }: MigratedDatabase) {
  const owner = newUuid();
  const database = connect({ owner: true });
  await leaseAll(database, owner);
  const version = '1.0.0';
  return { owner, database, effects: postgresEffectStore(connect(), { owner, name: 'one', version }) };
}

export const leaseAll = (database: Pick<Database, 'rows'>, owner: string) =>
  database.rows({
    text: `INSERT INTO svc_leases(name, owner, lease_until) SELECT 'timers/' || n, $1, 'infinity' FROM generate_series(0, 7) n
      ON CONFLICT (name) DO UPDATE SET owner = excluded.owner`,
    values: [owner],
  });

/** Adds requests that are due; the lane may have an expression of n in it. */
export const waiting = (lane: string, count: number): string =>
  `INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
    SELECT gen_random_uuid(), 0, clock_timestamp() - interval '1 hour', 'effect', 'sms', '', clock_timestamp(), 0, false, '{}',
      json_build_object('lane', '${lane}') FROM generate_series(1, ${count}) n`;
