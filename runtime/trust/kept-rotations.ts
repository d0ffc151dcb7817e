import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import type { KeyRotation } from './key-rotation.js';

const text = `SELECT encode(r.public_key, 'hex'), encode(r.next_key, 'hex'), r.up_to, encode(r.proof, 'hex')
  FROM svc_key_rotations r JOIN svc_origins o USING (origin) WHERE o.store = $1 ORDER BY r.up_to`;

/** How the key of a store was replaced, ours or another, the oldest first. */
export const keptRotations = async (
  database: Pick<Database, 'rows'>,
  store: Uuid,
): Promise<readonly KeyRotation[]> =>
  (await database.rows({ text, values: [store] })).map(([previousKey, publicKey, upTo, proof]) => ({
    previousKey: previousKey ?? '',
    publicKey: publicKey ?? '',
    upTo: Number(upTo),
    proof: proof ?? '',
  }));
