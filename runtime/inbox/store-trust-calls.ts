import { isUuid, type Long, type Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { functionCalls } from '../database/function-calls.js';
import { bigints, bytes, ints, uuids } from '../store/binary-arrays.js';
import { type Inbox, LeaseLost } from './inbox.js';

const knownText = `SELECT store, state = 'trusted', coalesce(last_seen > clock_timestamp() - interval '1 minute', false),
    encode(public_key, 'hex'), signs, (SELECT string_agg(encode(r.public_key, 'hex') || ':' || r.up_to, ' ')
      FROM svc_key_rotations r WHERE r.origin = o.origin)
  FROM svc_origins o WHERE store = ANY($1) AND origin <> 0`;

export function mustBeHeld(held: string | null | undefined): void {
  if (held !== 't') throw new LeaseLost();
}

/** Which stores are known; the part of an inbox that decides whose messages are taken. */
export function storeTrustCalls(
  database: Pick<Database, 'rows'>,
  owner: Uuid,
): Pick<Inbox, 'knownStores' | 'meetStores' | 'pinKey' | 'followKeys'> {
  const call = functionCalls(database);
  /** What a function answers beside whether the lease is held. */
  const changed = async (name: string, ...values: unknown[]): Promise<string | null | undefined> => {
    const [held, answer] = await call(name, owner, ...values);
    mustBeHeld(held);
    return answer;
  };
  return {
    knownStores: async (stores) => {
      const rows = await database.rows({
        name: 'svc_known_stores',
        text: knownText,
        values: [uuids(stores)],
      });
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
    pinKey: async (store, publicKey, leaseMs) =>
      (await changed('svc_pin_key', leaseMs, store, Buffer.from(publicKey, 'hex'))) === 't',
    followKeys: async (store, rotations, leaseMs) => {
      const keys = [
        bytes(rotations.map(({ previousKey }) => Buffer.from(previousKey, 'hex'))),
        bytes(rotations.map(({ publicKey }) => Buffer.from(publicKey, 'hex'))),
        bigints(rotations.map(({ upTo }) => upTo)),
        bytes(rotations.map(({ proof }) => Buffer.from(proof, 'hex'))),
      ];
      return (await changed('svc_follow_keys', leaseMs, store, ...keys)) === 't';
    },
    meetStores: async (messages, pins, leaseMs) => {
      const counts = [uuids([...messages.keys()]), ints([...messages.values()])];
      const pinned = await changed('svc_meet_stores', leaseMs, ...counts, pins);
      return (pinned ?? '').slice(1, -1).split(',').filter(isUuid);
    },
  };
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
