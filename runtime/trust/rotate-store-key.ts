import { StoreKeyRotated } from '../../contracts/events/store-key-rotated.js';
import { Problem } from '../../contracts/problems.js';
import { type AccessEditor, recordedChange } from '../access/recorded-change.js';
import type { Database, Session } from '../database/database.js';
import { nowText } from '../lang/now-text.js';
import { keyFromSeed, newSeed, type SigningKey } from './ed25519.js';
import { type KeyRotation, signRotation } from './key-rotation.js';
import type { KeySettings } from './store-key.js';

/** Which key a store signs with from now on. */
export interface RotatedKey extends Omit<KeyRotation, 'proof'> {
  readonly storeId: string;
  /** False: the store had this key already. */
  readonly rotated: boolean;
}

interface Signing {
  readonly storeId: string;
  readonly publicKey: string;
  readonly seed: Buffer | undefined;
  readonly head: number;
}

/**
 * Replaces the key of the store in one transaction of the owner: by the given one, otherwise by a new one that the store
 * keeps. The key before must be known, because it signs the new one.
 */
export async function rotateStoreKey(
  owner: Database,
  editor: AccessEditor,
  { signingKey, signingKeyOld }: KeySettings,
  reason?: string,
): Promise<RotatedKey> {
  const before = await signingIn(owner);
  let result: RotatedKey | undefined;
  await recordedChange(owner, editor, async (session) => {
    await session.rows({ text: 'SELECT svc_lock_log()' });
    const { storeId, publicKey: previousKey, seed, head: upTo } = await signingIn(session);
    const publicKey = signingKey?.publicKey.toString('hex');
    if (publicKey === previousKey && signingKeyOld !== undefined) {
      result = { storeId, previousKey: hexOf(signingKeyOld), publicKey, upTo, rotated: false };
      return [];
    }
    if (previousKey !== before.publicKey) throw refused(rotatedMeanwhile);
    const kept = seed === undefined ? [] : [keyFromSeed(seed)];
    const previous = [...kept, signingKeyOld, signingKey].find(
      (key) => key !== undefined && hexOf(key) === previousKey,
    );
    if (previous === undefined) throw refused(signingKeyOld === undefined ? keyMissing : otherKey);
    if (publicKey === previousKey) throw refused(sameKey);
    const made = newSeed();
    const rotation = signRotation(storeId, previous, signingKey ?? keyFromSeed(made), upTo);
    await keep(session, rotation, signingKey === undefined ? made : undefined);
    result = { storeId, previousKey, publicKey: rotation.publicKey, upTo, rotated: true };
    const why = { actor: editor.changedBy, reason: reason?.trim() || undefined };
    return [new StoreKeyRotated({ storeId, ...rotation, ...why, timestamp: nowText() })];
  });
  if (result === undefined) throw refused(rotatedMeanwhile);
  return result;
}

async function signingIn(database: Pick<Session, 'rows'>): Promise<Signing> {
  const [[storeId, publicKey, seed, head] = []] = await database.rows({
    text: `SELECT s.id, encode(s.public_key, 'hex'), encode(k.seed, 'hex'), svc_head()
      FROM svc_store s LEFT JOIN svc_store_private_key k ON true`,
  });
  if (typeof storeId !== 'string' || typeof publicKey !== 'string') throw refused(noKey);
  const kept = typeof seed === 'string' ? Buffer.from(seed, 'hex') : undefined;
  return { storeId, publicKey, seed: kept, head: Number(head) };
}

async function keep(
  session: Session,
  { previousKey, publicKey, upTo, proof }: KeyRotation,
  seed: Buffer | undefined,
): Promise<void> {
  const [used] = await session.rows({
    text: 'SELECT 1 FROM svc_key_rotations WHERE origin = 0 AND public_key = $1',
    values: [Buffer.from(publicKey, 'hex')],
  });
  if (used !== undefined) throw refused(usedBefore);
  await session.rows({
    text: 'INSERT INTO svc_key_rotations(origin, public_key, next_key, up_to, proof) VALUES (0, $1, $2, $3, $4)',
    values: [Buffer.from(previousKey, 'hex'), Buffer.from(publicKey, 'hex'), upTo, Buffer.from(proof, 'hex')],
  });
  await session.rows({
    text: 'UPDATE svc_store SET public_key = $1',
    values: [Buffer.from(publicKey, 'hex')],
  });
  await session.rows({ text: 'DELETE FROM svc_store_private_key' });
  if (seed !== undefined)
    await session.rows({ text: 'INSERT INTO svc_store_private_key(seed) VALUES ($1)', values: [seed] });
}

const hexOf = (key: SigningKey): string => key.publicKey.toString('hex');

const refused = (detail: string): Problem => new Problem('invalid-setup', { detail });

const noKey = 'The store has no signing key yet: start a host first.';
const rotatedMeanwhile =
  'The signing key was replaced by another command meanwhile; this one has changed nothing.';
const keyMissing =
  'The signing key of this store is not kept in it: set SVC_SIGNING_KEY_OLD to it, and SVC_SIGNING_KEY to the new one.';
const otherKey =
  'SVC_SIGNING_KEY_OLD is not the key of this store: set it to the one that its hosts sign with; nothing has changed.';
const sameKey =
  'SVC_SIGNING_KEY is the key that this store has: set it to the new one, and SVC_SIGNING_KEY_OLD to this one.';
const usedBefore =
  'SVC_SIGNING_KEY was the key of this store before, and does not count any more: create another one with openssl rand -base64 32.';
