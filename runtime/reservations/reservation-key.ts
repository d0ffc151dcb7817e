import { createHmac } from 'node:crypto';
import { Problem } from '../../contracts/problems.js';
import type { ReservationKey } from '../../contracts/unit-lists.js';
import type { Database } from '../database/database.js';
import { uuidOfDigest } from '../lang/named-uuid.js';

/**
 * A keyed digest: who reads the table can neither read nor guess a value. Half of it is enough, and an index of UUIDs is
 * small. Each part is preceded by its length, so that no two inputs are the same bytes.
 */
export const reservationKey =
  (secret: Uint8Array): ReservationKey =>
  (tenant, name, value) => {
    const hmac = createHmac('sha256', secret);
    for (const part of [tenant === undefined ? '' : `+${tenant}`, name, value])
      hmac.update(`${Buffer.byteLength(part)} `).update(part);
    return uuidOfDigest(hmac.digest());
  };

/** The secret of the store, which only hosts can read. */
export async function readReservationSecret(database: Pick<Database, 'rows'>): Promise<Uint8Array> {
  const [row] = await database.rows({ text: `SELECT encode(svc_reservation_key(), 'hex')` });
  const secret = Buffer.from(row?.[0] ?? '', 'hex');
  if (secret.length === 32) return secret;
  throw new Problem('invalid-setup', { detail: 'The store has no reservation key: run svc migrate.' });
}
