import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { keyFromSeed, newSeed, type SigningKey } from './ed25519.js';
import { log } from '../logging/log.js';
import { keptRotations } from './kept-rotations.js';
import { rotationsText } from './key-rotation.js';

/** The key by which other stores know this one. */
export interface StoreKey extends SigningKey {
  readonly storeId: Uuid;
  /** How it replaced earlier ones, as it is sent; empty: it did not. */
  readonly rotations?: string;
}

export interface KeySettings {
  /** Given to the host; unset: the key is kept in the store. */
  readonly signingKey?: SigningKey | undefined;
  /** The key before it: signs until the store has the new one. */
  readonly signingKeyOld?: SigningKey | undefined;
}

/** The key of the store, which an operator may replace meanwhile. */
export interface FollowedStoreKey extends StoreKey {
  /** To be called once the positions to be signed are known: a key that was replaced before counts for none of them. */
  readonly refresh: () => Promise<void>;
}

export async function followStoreKey(
  database: Pick<Database, 'rows'>,
  settings: KeySettings,
): Promise<FollowedStoreKey> {
  let current = await storeKey(database, settings);
  let isReported = false;
  const next = () =>
    storeKey(database, settings).catch((err: unknown) => {
      if (!isReported) log.error({ err }, 'the key of the store was replaced, and this host cannot sign');
      isReported = true;
      throw err;
    });
  const recorded = `SELECT encode(public_key, 'hex') FROM svc_store`;
  return {
    storeId: current.storeId,
    get publicKey() {
      return current.publicKey;
    },
    get rotations() {
      return current.rotations ?? '';
    },
    sign: (bytes) => current.sign(bytes),
    refresh: async () => {
      const [[key] = []] = await database.rows({ name: 'svc_public_key', text: recorded });
      if (key !== current.publicKey.toString('hex')) current = await next();
    },
  };
}

/** The key pair of the store; the first host to ask makes it. */
export async function storeKey(
  database: Pick<Database, 'rows'>,
  { signingKey, signingKeyOld }: KeySettings,
): Promise<StoreKey> {
  const seed = newSeed();
  const offered = signingKey ?? keyFromSeed(seed);
  const [row] = await database.rows({
    text: `SELECT store, encode(public_key, 'hex'), encode(seed, 'hex') FROM svc_keep_store_key($1, $2)`,
    values: [offered.publicKey, signingKey === undefined ? seed : null],
  });
  const [storeId = null, kept = null, keptSeed = null] = row ?? [];
  if (storeId === null)
    throw new Problem('invalid-setup', { detail: 'The store has no id: run svc migrate.' });
  const rotations = rotationsText(await keptRotations(database, storeId));
  const given = [signingKey, signingKeyOld].find((one) => one?.publicKey.toString('hex') === kept);
  if (given !== undefined) return { storeId, ...given, rotations };
  if (signingKey !== undefined) throw new Problem('invalid-setup', { detail: otherKey(keptSeed !== null) });
  if (keptSeed === null) throw new Problem('invalid-setup', { detail: keyElsewhere });
  const key = keyFromSeed(Buffer.from(keptSeed, 'hex'));
  if (key.publicKey.toString('hex') !== kept) throw new Problem('invalid-setup', { detail: keyAltered });
  return { storeId, ...key, rotations };
}

const otherKey = (isKeptInside: boolean): string =>
  `SVC_SIGNING_KEY is not the key of this store: ${
    isKeptInside
      ? 'unset it to sign with the key that the store keeps'
      : 'set it to the key that the first host of this store was started with; to replace that one, set SVC_SIGNING_KEY_OLD to it, too, and run svc store rotate-key'
  }.`;

const keyElsewhere =
  'The signing key of this store is not kept in it: set SVC_SIGNING_KEY as for its other hosts.';

const keyAltered =
  'The private key in svc_store_private_key does not belong to svc_store.public_key: restore both from a backup.';
