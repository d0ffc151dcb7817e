import type { KeyWrapper } from '../../contracts/sealing.js';
import type { Database, Row } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { log } from '../logging/log.js';
import { bytes, ints, uuids } from '../store/binary-arrays.js';
import { askWrapper, unwrapWith, wrapperFails } from './ask-wrapper.js';

/** Each is one transaction; its keys are wrapped at once. */
const chunkKeys = 50;
/** A wrapper that fails for so many keys will not open the others. */
const maxLeft = 100;

interface Wrappers {
  readonly wrapper: KeyWrapper;
  readonly old: KeyWrapper | undefined;
}

interface Rewrapped {
  readonly rewrapped: number;
  readonly left: readonly string[];
  readonly stopped: boolean;
}

const chunkText = `SELECT subject, key_id, encode(wrapped_key, 'hex') FROM svc_subject_keys
  WHERE subject > $2 AND master BETWEEN 1 AND $1 AND wrapped_key IS NOT NULL ORDER BY subject LIMIT ${chunkKeys}`;

// A subject that was forgotten meanwhile stays forgotten. Locked in order: another command may rewrap the same keys.
const keepText = `WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::int[]) AS g(id, was, wrapped, master)),
  locked AS (
    SELECT k.subject, g.wrapped, g.master FROM svc_subject_keys k JOIN given g ON g.id = k.key_id AND g.was = k.wrapped_key
      ORDER BY k.subject FOR UPDATE OF k)
  UPDATE svc_subject_keys k SET wrapped_key = l.wrapped, master = l.master FROM locked l WHERE k.subject = l.subject
    RETURNING k.master`;

/** Wraps the keys that have an earlier master key, chunk by chunk; keys that nothing opens are noted and left. */
export async function rewrapKeys(
  owner: Database,
  wrappers: Wrappers,
  master: number,
  progress: (done: number) => void,
): Promise<Rewrapped> {
  // Those that an earlier run has left are tried again.
  const again = 'UPDATE svc_subject_keys SET master = $1 WHERE master = 0 AND wrapped_key IS NOT NULL';
  await owner.rows({ text: again, values: [master - 1] });
  const left: string[] = [];
  // By subject: a chunk does not pass what the ones before it have done. Keys that are new have the new master key.
  let after = '';
  for (let rewrapped = 0; ;) {
    const rows = await owner.rows({ text: chunkText, values: [master - 1, after] });
    after = rows.at(-1)?.[0] ?? after;
    const stopped = left.length >= maxLeft;
    if (rows.length === 0 || stopped) return { rewrapped, left, stopped };
    const keys = await Promise.all(rows.map((row) => rewrap(row, wrappers, master)));
    left.push(...keys.filter((key) => key.master === 0).map(({ subject }) => subject));
    const kept = await owner.rows({ text: keepText, values: columnsOf(keys) });
    rewrapped += kept.filter(([now]) => now === String(master)).length;
    failpoint('master-after-chunk');
    progress(rewrapped + left.length);
  }
}

interface Key {
  readonly subject: string;
  readonly id: string;
  readonly was: Buffer;
  readonly wrapped: Uint8Array;
  readonly master: number;
}

/** A wrapper that returns something else than it was given would make the key unreadable for good: it is asked to prove it. */
async function rewrap([subject, id, hex]: Row, { wrapper, old }: Wrappers, master: number): Promise<Key> {
  const key = { subject: subject ?? '', id: id ?? '', was: Buffer.from(hex ?? '', 'hex') };
  try {
    const wrappers = old === undefined ? [wrapper] : [old, wrapper];
    const plain = (await unwrapWith(wrappers, key.was, key.id)).key;
    const wrapped = await askWrapper(() => wrapper.wrap(plain, key.id));
    const proof = await unwrapWith([wrapper], wrapped, key.id);
    if (!Buffer.from(proof.key).equals(plain)) throw wrapperFails('does not return what it has wrapped');
    return { ...key, wrapped, master };
  } catch (err) {
    log.debug({ err, subject }, 'the key of a subject cannot be unwrapped');
    return { ...key, wrapped: key.was, master: 0 };
  }
}

const columnsOf = (keys: readonly Key[]): unknown[] => [
  uuids(keys.map(({ id }) => id)),
  bytes(keys.map(({ was }) => was)),
  bytes(keys.map(({ wrapped }) => Buffer.from(wrapped))),
  ints(keys.map(({ master }) => master)),
];
