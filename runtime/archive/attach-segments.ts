import { Problem } from '../../contracts/problems.js';
import { binaryContent } from '../database/copy-in.js';
import type { Database, Session } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { longOf } from '../audit/binary-copy-values.js';
import { type ActingOperator, recordedAction } from '../store/operator-action.js';
import { type ArchivedSegment, closedSegments } from './archived-segment.js';
import { type Archives, readArchive } from './read-archive.js';
import { removeArchivedTables } from './remove-tables.js';
import type { LogRows } from './segment-digest.js';
import { eventColumns, recordColumns, rowsToBytes } from './segment-rows.js';

interface AttachOrder extends Archives {
  readonly database: Database;
  readonly owner: Database;
  readonly by: ActingOperator;
}

/**
 * Attaches archived segments again, from the newest down to this one: whatever is newer than an attached segment is
 * attached. Each is loaded beside the log, and attached once all of it was read. The next run continues one that dies.
 */
export async function attachSegments(
  order: AttachOrder,
  low: number,
): Promise<readonly { readonly low: number; readonly high: number }[]> {
  const { database } = order;
  const segments = await closedSegments(database);
  const first = segments.find((segment) => segment.low === low);
  if (first === undefined)
    throw new Problem('usage', {
      detail: `No closed segment begins at ${low}; svc segments list shows all.`,
    });
  const wanted = segments
    .filter((segment) => segment.low >= low && segment.state === 'archived')
    .toReversed();
  for (const segment of wanted) await attach(order, segment);
  return wanted.map(({ low: from, high }) => ({ low: from, high }));
}

async function attach(order: AttachOrder, segment: ArchivedSegment): Promise<void> {
  const { owner, by } = order;
  const { low, high } = segment;
  let loadedTo: number | undefined;
  await readArchive(segment, order, async (rows) => {
    loadedTo ??= await prepareTables(owner, segment);
    if (firstOf(rows) > loadedTo) await load(owner, segment, rows);
    failpoint('attach-part-loaded');
  });
  await recordedAction(owner, by, 'segments attach', async (session) => {
    await session.rows({ text: 'SET LOCAL statement_timeout = 0' });
    const [row] = await session.rows({ text: 'SELECT svc_attach_segment($1)', values: [low] });
    if (row?.[0] !== 't')
      throw new Problem('invalid-setup', {
        detail: `The segment ${low} to ${high - 1} is not archived any more, or a newer one is: run svc segments list.`,
      });
    return { result: undefined, targets: [`${low} to ${high - 1}`] };
  });
  failpoint('attach-attached');
}

/** Returns the last position that an earlier run has loaded. */
async function prepareTables(owner: Database, { low, high }: ArchivedSegment): Promise<number> {
  const [row] = await owner.rows({
    text: `SELECT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = 'svc_bounds' AND conrelid = to_regclass('svc_events_' || $1::bigint))`,
    values: [low],
  });
  if (row?.[0] === 't') {
    const [found] = await owner.rows({
      text: `SELECT greatest((SELECT max(global_position) FROM svc_events_${low}), (SELECT max(global_position) FROM svc_system_events_${low}), -1)`,
    });
    return Number(found?.[0]);
  }
  // Those of an archive that was interrupted.
  await removeArchivedTables(owner);
  await owner.rows({ text: 'SELECT svc_make_segment_tables($1, $2)', values: [low, high] });
  return -1;
}

const firstOf = ({ events, records }: LogRows): number =>
  Math.min(...[events[0], records[0]].flatMap((row) => (row === undefined ? [] : [longOf(row[0])])));

/** Both logs in one transaction: a part is loaded, or it is not. */
async function load(owner: Database, { low }: ArchivedSegment, { events, records }: LogRows): Promise<void> {
  const session = await owner.session();
  try {
    await session.rows({ text: 'BEGIN' });
    await copy(session, `svc_events_${low} (${eventColumns})`, rowsToBytes(events));
    await copy(session, `svc_system_events_${low} (${recordColumns})`, rowsToBytes(records));
    await session.rows({ text: 'COMMIT' });
    session.release();
  } catch (error) {
    session.release(true);
    throw error;
  }
}

const copy = (session: Session, into: string, rows: Buffer): Promise<void> =>
  session.copyIn(`COPY ${into} FROM STDIN (FORMAT binary)`, binaryContent(rows));
