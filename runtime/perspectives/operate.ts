import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { type ActingOperator, type OperatorCall, recordedAction } from '../store/operator-action.js';
import type { Database } from '../database/database.js';
import { releaseParked } from './parked/parked-rows.js';
import { cancelRebuild, requestRebuild, type RebuildRequest } from './rebuild/rebuild-request.js';

interface NamedTable {
  readonly name: string;
  readonly table: string;
}

/** Releases these parked rows, or all, and returns how many; throws and releases none when one of them is not parked. */
export const releaseAsOperator = (
  call: OperatorCall,
  { name, table }: NamedTable,
  keys?: readonly string[],
): Promise<number> =>
  recordedAction(call.database, call, 'perspectives release', async (session) => {
    let released = 0;
    for (const key of keys ?? [undefined]) {
      const count = await releaseParked(session, table, key);
      if (count === 0 && key !== undefined)
        throw new Problem('not-found', { detail: `${name} has no parked row '${key}'.` });
      released += count;
    }
    const target = keys === undefined ? name : `${name} ${keys.join(' ')}`;
    return { result: released, targets: released > 0 ? [target] : [] };
  });

/** Requests a rebuild, for a worker that does it or for the host that runs the perspective. */
export const rebuildAsOperator = (
  owner: Pick<Database, 'session'>,
  by: ActingOperator,
  table: NamedTable,
  request: RebuildRequest,
  worker?: Uuid,
): Promise<Uuid> =>
  recordedAction(owner, by, 'perspectives rebuild', async (session) => {
    const id = await requestRebuild(session, table, request, worker);
    return { result: id, targets: [table.name] };
  });

/** Requests the cancellation of a rebuild; returns whether there was one. */
export const cancelAsOperator = (
  owner: Pick<Database, 'session'>,
  by: ActingOperator,
  name: string,
): Promise<boolean> =>
  recordedAction(owner, by, 'perspectives cancel', async (session) => {
    const isThere = await cancelRebuild(session, name);
    return { result: isThere, targets: isThere ? [name] : [] };
  });
