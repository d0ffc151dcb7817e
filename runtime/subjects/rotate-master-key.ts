import { Problem } from '../../contracts/problems.js';
import type { KeyWrapper } from '../../contracts/sealing.js';
import type { Uuid } from '../../contracts/scalars.js';
import { type AccessEditor, recordedChange } from '../access/recorded-change.js';
import type { Database } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { operatorActed } from '../store/operator-action.js';
import { askWrapper, unwrapWith } from './ask-wrapper.js';
import { rewrapKeys } from './rewrap-keys.js';

export interface MasterRotation {
  /** Wraps every key from now on. */
  readonly wrapper: KeyWrapper;
  /** Unwraps those that the wrapper cannot; unset: the wrapper unwraps all, and is asked for new texts. */
  readonly old: KeyWrapper | undefined;
  readonly editor: AccessEditor;
  readonly reason: string;
  /** Begins although an earlier rotation has not ended. */
  readonly isForced: boolean;
  readonly progress: (done: number, total: number) => void;
}

/** What a rotation has done. */
export interface RotatedMaster {
  /** The number of the master key: 1 is the first. */
  readonly master: number;
  /** `resumed`: it continues one that was interrupted. `done`: all keys had this master key already. */
  readonly rotation: 'begun' | 'resumed' | 'done';
  readonly rewrapped: number;
  /** The digests of the subjects whose keys neither opens; their keys stay as they are. */
  readonly left: readonly string[];
  /** Too many were left: the others were not tried. */
  readonly stopped: boolean;
}

interface Present {
  readonly id: Uuid;
  readonly wrapped: Buffer;
  readonly master: number;
  /** How many keys have an earlier master key, and how many of those no rotation has tried in vain. */
  readonly earlier: number;
  readonly untried: number;
}

/** Wraps every key of a subject with another master key. It may be run again at any time, and by several at once. */
export async function rotateMasterKey(owner: Database, how: MasterRotation): Promise<RotatedMaster> {
  const found = await presentIn(owner);
  const rotation = await rotationNeeded(found, how);
  if (rotation === 'done') return { master: found.master, rotation, rewrapped: 0, left: [], stopped: false };
  const master = rotation === 'begun' ? await begin(owner, found, how) : found.master;
  if (rotation === 'resumed') await record(owner, how, master, { rotation });
  failpoint('master-begun');
  const total = rotation === 'begun' ? (await presentIn(owner)).earlier : found.earlier;
  const done = await rewrapKeys(owner, how, master, (count) => how.progress(count, total));
  const counts = { rewrapped: String(done.rewrapped), left: String(done.left.length) };
  await record(owner, how, master, { rotation: done.stopped ? 'stopped' : 'ended', ...counts });
  return { master, rotation, ...done };
}

/** The value with which hosts check their master key says which one is present. */
async function rotationNeeded(
  { id, wrapped, earlier, untried }: Present,
  { wrapper, old, isForced }: MasterRotation,
): Promise<RotatedMaster['rotation']> {
  const wrappers = old === undefined ? [wrapper] : [old, wrapper];
  const present = await unwrapWith(wrappers, wrapped, id).catch((cause: unknown) => {
    throw new Problem('subject-keys-unavailable', { detail: neitherFits, cause });
  });
  if (old === undefined) return earlier > 0 ? 'resumed' : 'begun';
  if (present.wrapper === wrapper) return earlier > 0 ? 'resumed' : 'done';
  if (untried === 0 || isForced) return 'begun';
  throw new Problem('invalid-setup', {
    detail: `An earlier rotation has not ended: ${untried} keys still have the master key before SVC_MASTER_KEY_OLD. End that rotation first, or leave them with --force; nothing has changed.`,
  });
}

/** From here on, hosts wrap with the new master key. */
async function begin(
  owner: Database,
  { id, wrapped, master }: Present,
  how: MasterRotation,
): Promise<number> {
  const { key } = await unwrapWith([how.old ?? how.wrapper], wrapped, id);
  const text = `UPDATE svc_subject_keys SET wrapped_key = $1, master = master + 1
    WHERE subject = '' AND wrapped_key = $2 AND master = $3 RETURNING master`;
  const values = [await askWrapper(() => how.wrapper.wrap(key, id)), wrapped, master];
  await recordedChange(owner, how.editor, async (session) => {
    const [begun] = await session.rows({ text, values });
    if (begun === undefined)
      throw new Problem('invalid-setup', {
        detail: 'Another command has begun a rotation meanwhile; this one has changed nothing: run it again.',
      });
    return [actedBy(how, master + 1, { rotation: 'begun' })];
  });
  return master + 1;
}

async function presentIn(owner: Database): Promise<Present> {
  const [row] = await owner.rows({
    text: `SELECT p.key_id, encode(p.wrapped_key, 'hex'), p.master, count(k), count(k) FILTER (WHERE k.master > 0)
      FROM svc_subject_keys p LEFT JOIN svc_subject_keys k
        ON k.master < p.master AND k.wrapped_key IS NOT NULL AND k.subject <> ''
      WHERE p.subject = '' GROUP BY p.subject`,
  });
  const [id, wrapped, master, earlier, untried] = row ?? [];
  if (typeof id !== 'string' || typeof wrapped !== 'string')
    throw new Problem('invalid-setup', {
      detail: 'The store has no keys of subjects yet: start its hosts with the new SVC_MASTER_KEY alone.',
    });
  const counts = { master: Number(master), earlier: Number(earlier), untried: Number(untried) };
  return { id, wrapped: Buffer.from(wrapped, 'hex'), ...counts };
}

const record = (
  owner: Database,
  how: MasterRotation,
  master: number,
  details: Readonly<Record<string, string>>,
): Promise<boolean> =>
  recordedChange(owner, how.editor, () => Promise.resolve([actedBy(how, master, details)]));

const actedBy = (
  { editor, reason }: MasterRotation,
  master: number,
  details: Readonly<Record<string, string>>,
) => operatorActed({ operator: editor, reason }, 'store rotate-master', `master key ${master}`, details);

const neitherFits =
  'Neither SVC_MASTER_KEY_OLD nor the new master key is the one of this store: set SVC_MASTER_KEY_OLD to the one that its hosts have; nothing has changed.';
