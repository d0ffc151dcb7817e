import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { recordedSegments, type Sealed } from '../segments/verify-segments.js';
import { type ActingOperator, recordedAction } from '../store/operator-action.js';
import type { SubjectKey } from '../subjects/sealed-text.js';
import type { StoreKey } from '../trust/store-key.js';
import { type ArchivedSegment, closedSegments, subjectOfArchive } from './archived-segment.js';
import type { Archives } from './read-archive.js';
import { removeArchivedTables } from './remove-tables.js';
import { writeArchive } from './write-archive.js';

/** Event ids are unique this long, and brokers keep messages as long. */
export const leastDays = 7;

interface ArchiveOrder extends Pick<Archives, 'filesOf' | 'progress'> {
  readonly database: Database;
  readonly owner: Database;
  readonly by: ActingOperator;
  /** Unset: where the segment, or the one before it, was archived. */
  readonly location: string | undefined;
  /** Encrypts the files of a subject; unset: there is no master key. */
  readonly keys: { keyOf(subject: string): Promise<SubjectKey | undefined> } | undefined;
  readonly storeKey: () => Promise<StoreKey>;
  /** Segments that were sealed in the last days stay. */
  readonly days: number;
}

export interface Archived {
  readonly low: number;
  readonly high: number;
  readonly location: string;
  readonly bytes: number;
  readonly isEncrypted: boolean;
}

interface ArchiveResult {
  readonly archived: readonly Archived[];
  /** The next segment, and why it stays. */
  readonly stays: { readonly low: number; readonly high: number; readonly why: string } | undefined;
}

/**
 * Archives sealed segments, the oldest first: writes the files of one and reads them back, marks it, and removes its
 * tables. A run that dies is continued by the next one.
 */
export async function archiveSegments(order: ArchiveOrder): Promise<ArchiveResult> {
  const { database, owner } = order;
  await removeArchivedTables(owner);
  const recorded = await recordedSegments(database);
  const archived: Archived[] = [];
  for (;;) {
    const segments = await closedSegments(database);
    const segment = segments.find(({ state }) => state === 'sealed');
    if (segment === undefined) return { archived, stays: undefined };
    const why = await obstacleOf(database, segment, order.days);
    if (why !== undefined) return { archived, stays: { low: segment.low, high: segment.high, why } };
    const before = segments
      .filter(({ low }) => low <= segment.low)
      .findLast(({ location }) => location !== undefined);
    const sealed = recorded.get(segment.low);
    archived.push(await archive(order, segment, sealed, order.location ?? before?.location));
    await removeArchivedTables(owner);
  }
}

async function obstacleOf(
  database: Pick<Database, 'rows'>,
  { low }: ArchivedSegment,
  days: number,
): Promise<string | undefined> {
  const [row] = await database.rows({ text: 'SELECT svc_archive_obstacle($1, $2)', values: [low, days] });
  return row?.[0] ?? undefined;
}

async function archive(
  order: ArchiveOrder,
  segment: ArchivedSegment,
  sealed: Sealed | undefined,
  location: string | undefined,
): Promise<Archived> {
  const { database, owner, by, keys, days } = order;
  const { low, high } = segment;
  if (sealed?.high !== high)
    throw new Problem('invalid-setup', {
      detail: `The system stream has no SegmentSealed for the segment ${low} to ${high - 1}; only a segment that the chain covers can be archived.`,
    });
  const files = order.filesOf(location);
  const key = await keys?.keyOf(subjectOfArchive(low));
  if (keys !== undefined && key === undefined)
    throw new Problem('subject-keys-unavailable', {
      detail: `The key of the archive of the segment ${low} to ${high - 1} was destroyed; the segment stays in the database.`,
    });
  const storeKey = await order.storeKey();
  const written = await writeArchive(database, segment, {
    files,
    key,
    storeKey,
    sealed,
    progress: (done, total) => order.progress(segment, done, total),
  });
  const { manifestSha256, bytes, eventTypes, recordTypes } = written;
  await recordedAction(owner, by, 'segments archive', async (session) => {
    const [row] = await session.rows({
      text: `SELECT svc_archive_segment($1, $2, $3, $4, decode($5, 'hex'), $6, $7, $8)`,
      values: [low, days, files.location, storeKey.publicKey, manifestSha256, bytes, eventTypes, recordTypes],
    });
    const obstacle = row?.[0] ?? undefined;
    if (obstacle !== undefined)
      throw new Problem('invalid-setup', { detail: `The segment ${low} to ${high - 1} stays: ${obstacle}.` });
    const details = { location: files.location, manifestSha256 };
    return { result: undefined, targets: [`${low} to ${high - 1}`], details };
  });
  failpoint('archive-marked');
  return { low, high, location: files.location, bytes, isEncrypted: key !== undefined };
}
