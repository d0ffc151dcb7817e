import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { countRows, readWithoutNulls } from '../database/read-objects.js';

/** A reserved name. Its value cannot be read from the store. */
export interface ListedReservation {
  readonly name: string;
  /** A keyed digest of tenant, name and value. */
  readonly key: Uuid;
  readonly owner: string;
  readonly reservedAt: Timestamp;
  /** When a hold ends by itself. */
  readonly until?: Timestamp;
}

const held =
  'svc_reservations WHERE ($1::text IS NULL OR name = $1) AND (until IS NULL OR until > clock_timestamp())';

/** Reservations that hold, the newest first. */
export const listReservations = (
  database: Pick<Database, 'rows'>,
  { name = null, limit }: { readonly name?: string | null | undefined; readonly limit: number },
): Promise<readonly ListedReservation[]> =>
  readWithoutNulls(database, {
    text: `SELECT name, key, owner, svc_time_text(reserved_at) AS "reservedAt", svc_time_text(until) AS until
      FROM ${held} ORDER BY reserved_at DESC, key LIMIT $2`,
    values: [name, limit],
  });

/** How many there are, listed or not. */
export const countReservations = (database: Pick<Database, 'rows'>, name: string | null): Promise<number> =>
  countRows(database, held, [name]);
