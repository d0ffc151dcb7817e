import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { bigints, bytes, ints, uuids } from '../store/binary-arrays.js';
import type { KeyRotation } from '../trust/key-rotation.js';
import { type Inbox, LeaseLost } from './inbox.js';

const knownText = `SELECT store, state = 'trusted', coalesce(last_seen > clock_timestamp() - interval '1 minute', false),
    encode(public_key, 'hex'), signs, (SELECT string_agg(encode(r.public_key, 'hex') || ':' || r.up_to, ' ')
      FROM svc_key_rotations r WHERE r.origin = o.origin)
  FROM svc_origins o WHERE store = ANY($1) AND origin <> 0`;

export function mustBeHeld(held: string | null | undefined): void {
  if (held !== 't') throw new LeaseLost();
}

/** Which stores are known; the part of an inbox that decides whose messages are taken. */
export const storeTrustCalls = (
  database: Pick<Database, 'rows'>,
  owner: Uuid,
): Pick<Inbox, 'knownStores' | 'meetStores' | 'pinKey' | 'followKeys'> => ({
  knownStores: async (stores) => {
    const rows = await database.rows({ name: 'svc_known_stores', text: knownText, values: [uuids(stores)] });
    return new Map(
      rows.map(([store, trusted, recent, publicKey, signs, earlier]) => [
        store ?? '',
        {
          isTrusted: trusted === 't',
          isRecent: recent === 't',
          publicKey: publicKey ?? undefined,
          signs: signs === 't',
          earlierKeys: earlierIn(earlier),
        },
      ]),
    );
  },
  pinKey: async (store, publicKey, leaseMs) => {
    const [[held, pinned] = []] = await database.rows({
      text: 'SELECT held, pinned FROM svc_pin_key($1, $2, $3, $4)',
      values: [owner, leaseMs, store, Buffer.from(publicKey, 'hex')],
      isAcknowledged: true,
    });
    mustBeHeld(held);
    return pinned === 't';
  },
  followKeys: (store, rotations, leaseMs) => followKeys(database, [owner, leaseMs, store], rotations),
  meetStores: async (messages, pins, leaseMs) => {
    const [[held, pinned] = []] = await database.rows({
      name: 'svc_meet_stores',
      text: "SELECT held, array_to_string(pinned, ',') FROM svc_meet_stores($1, $2, $3, $4, $5)",
      values: [owner, leaseMs, uuids([...messages.keys()]), ints([...messages.values()]), pins],
      isAcknowledged: true,
    });
    mustBeHeld(held);
    return typeof pinned === 'string' && pinned !== '' ? pinned.split(',') : [];
  },
});

async function followKeys(
  database: Pick<Database, 'rows'>,
  lease: readonly unknown[],
  rotations: readonly KeyRotation[],
): Promise<boolean> {
  const [[held, followed] = []] = await database.rows({
    text: 'SELECT held, followed FROM svc_follow_keys($1, $2, $3, $4, $5, $6, $7)',
    values: [
      ...lease,
      bytes(rotations.map(({ previousKey }) => Buffer.from(previousKey, 'hex'))),
      bytes(rotations.map(({ publicKey }) => Buffer.from(publicKey, 'hex'))),
      bigints(rotations.map(({ upTo }) => upTo)),
      bytes(rotations.map(({ proof }) => Buffer.from(proof, 'hex'))),
    ],
    isAcknowledged: true,
  });
  mustBeHeld(held);
  return followed === 't';
}

function earlierIn(text: string | null | undefined): ReadonlyMap<string, Long> | undefined {
  if (typeof text !== 'string') return undefined;
  return new Map(
    text.split(' ').map((pair) => {
      const [key = '', upTo] = pair.split(':');
      return [key, Number(upTo)];
    }),
  );
}
