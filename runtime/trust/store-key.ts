import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { keyFromSeed, newSeed, type SigningKey } from './ed25519.js';

/** The key by which other stores know this one. */
export interface StoreKey extends SigningKey {
  readonly storeId: Uuid;
}

interface KeySettings {
  /** Given to the host; unset: the key is kept in the store. */
  readonly signingKey?: SigningKey | undefined;
}

/** The key pair of the store; the first host to ask makes it. */
export async function storeKey(
  database: Pick<Database, 'rows'>,
  { signingKey: given }: KeySettings,
): Promise<StoreKey> {
  const seed = newSeed();
  const offered = given ?? keyFromSeed(seed);
  const [row] = await database.rows({
    text: `SELECT store, encode(public_key, 'hex'), encode(seed, 'hex') FROM svc_keep_store_key($1, $2)`,
    values: [offered.publicKey, given === undefined ? seed : null],
  });
  const [storeId = null, kept = null, keptSeed = null] = row ?? [];
  if (storeId === null)
    throw new Problem('invalid-setup', { detail: 'The store has no id: run svc migrate.' });
  if (given !== undefined && given.publicKey.toString('hex') !== kept)
    throw new Problem('invalid-setup', { detail: otherKey(keptSeed !== null) });
  if (given !== undefined) return { storeId, ...given };
  if (keptSeed === null) throw new Problem('invalid-setup', { detail: keyElsewhere });
  const key = keyFromSeed(Buffer.from(keptSeed, 'hex'));
  if (key.publicKey.toString('hex') !== kept) throw new Problem('invalid-setup', { detail: keyAltered });
  return { storeId, ...key };
}

const otherKey = (isKeptInside: boolean): string =>
  `SVC_SIGNING_KEY is not the key of this store: ${
    isKeptInside
      ? 'unset it to sign with the key that the store keeps'
      : 'set it to the key that the first host of this store was started with'
  }.`;

const keyElsewhere =
  'The signing key of this store is not kept in it: set SVC_SIGNING_KEY as for its other hosts.';

const keyAltered =
  'The private key in svc_store_private_key does not belong to svc_store.public_key: restore both from a backup.';
