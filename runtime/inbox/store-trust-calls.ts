import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { ints, uuids } from '../store/binary-arrays.js';
import type { Inbox } from './inbox.js';

const knownText = `SELECT store, state = 'trusted', coalesce(last_seen > clock_timestamp() - interval '1 minute', false),
    encode(public_key, 'hex'), signs
  FROM svc_origins WHERE store = ANY($1) AND origin <> 0`;

/** Which stores are known; the part of an inbox that decides whose messages are taken. */
export const storeTrustCalls = (
  database: Pick<Database, 'rows'>,
  owner: Uuid,
): Pick<Inbox, 'knownStores' | 'meetStores' | 'pinKey'> => ({
  knownStores: async (stores) => {
    const rows = await database.rows({ name: 'svc_known_stores', text: knownText, values: [uuids(stores)] });
    return new Map(
      rows.map(([store, trusted, recent, publicKey, signs]) => [
        store ?? '',
        {
          isTrusted: trusted === 't',
          isRecent: recent === 't',
          publicKey: publicKey ?? undefined,
          signs: signs === 't',
        },
      ]),
    );
  },
  pinKey: async (store, publicKey, leaseMs) => {
    const [[held, pinned] = []] = await database.rows({
      text: 'SELECT held, pinned FROM svc_pin_key($1, $2, $3, $4, true)',
      values: [owner, leaseMs, store, Buffer.from(publicKey, 'hex')],
      isAcknowledged: true,
    });
    return held === 't' ? pinned === 't' : 'lost';
  },
  meetStores: async (messages, pins, leaseMs) => {
    const [[held, pinned] = []] = await database.rows({
      name: 'svc_meet_stores',
      text: "SELECT held, array_to_string(pinned, ',') FROM svc_meet_stores($1, $2, $3, $4, $5)",
      values: [owner, leaseMs, uuids([...messages.keys()]), ints([...messages.values()]), pins],
      isAcknowledged: true,
    });
    if (held !== 't') return 'lost';
    return typeof pinned === 'string' && pinned !== '' ? pinned.split(',') : [];
  },
});
