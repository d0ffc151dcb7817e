import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';

const bindingText = 'SELECT svc_store_is_bound(), id FROM svc_store';
const moveText = "SELECT state, other FROM svc_move WHERE state <> 'copying'";

/** Two stores with one id would publish under it, and receivers would take what one sends for what the other has sent. */
export async function mustBeBound(database: Pick<Database, 'rows'>): Promise<void> {
  const [[state, other] = []] = await database.rows({ text: moveText });
  if (state === 'moved')
    throw new Problem('invalid-setup', {
      detail: `The store has moved to ${other ?? ''}; set DATABASE_URL to that database.`,
    });
  if (state === 'joining')
    throw new Problem('invalid-setup', {
      detail: `The store of ${other ?? ''} is being moved to this database; start hosts here when svc store move has ended.`,
    });
  const [[isBound, id] = []] = await database.rows({ text: bindingText });
  if (isBound === 't') return;
  throw new Problem('invalid-setup', {
    detail: `This database is a copy of the store ${id ?? ''}; run svc store adopt --reason TEXT to give the copy an id of its own, or svc store adopt --moved --reason TEXT if the original is gone.`,
  });
}

export interface Adopted {
  readonly id: Uuid;
  /** The id of the original; the same if the store has moved. */
  readonly idBefore: Uuid;
}

/** No host holds a lease for minutes: one that ends later was taken by another clock. */
const leaseText = `SELECT ceil(max(extract(epoch FROM lease_until - clock_timestamp()))) FROM svc_leases
  WHERE owner IS NOT NULL AND lease_until > clock_timestamp() AND lease_until < clock_timestamp() + interval '5 minutes'`;

/** Binds a copy to the database that it is in. `isForced`: also a copy of the data directory, which looks like its original. */
export async function adoptStore(
  owner: Pick<Database, 'rows'>,
  { hasMoved, isForced }: { readonly hasMoved: boolean; readonly isForced: boolean },
): Promise<Adopted> {
  const [[isBound, store] = []] = await owner.rows({ text: bindingText });
  if (isBound === 't' && !isForced)
    throw new Problem('usage', {
      detail: `The store ${store ?? ''} is where it was made, so it does not look like a copy. If it is a copy of a data directory, add --force.`,
    });
  const [[seconds] = []] = await owner.rows({ text: leaseText });
  // It has read the id once, and would continue under the previous one.
  if (typeof seconds === 'string')
    throw new Problem('usage', {
      detail: `A host runs on this database, or did a moment ago: stop the hosts, and try again in ${seconds} s.`,
    });
  const [[id, idBefore] = []] = await owner.rows({
    text: 'SELECT id, id_was FROM svc_adopt_store($1)',
    values: [hasMoved],
  });
  return { id: id ?? '', idBefore: idBefore ?? '' };
}
