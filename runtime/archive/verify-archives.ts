import { Problem } from '../../contracts/problems.js';
import type { CopiedRow } from '../database/copy-out.js';
import type { Database } from '../database/database.js';
import {
  faultsIn,
  recordedSegments,
  type Sealed,
  type VerifiedSegment,
} from '../segments/verify-segments.js';
import { type ArchivedSegment, closedSegments } from './archived-segment.js';
import { type Archives, readArchive } from './read-archive.js';

/**
 * Reads the files of every archived segment and compares them with the chain. The newest comes first: what the chain
 * says of a segment is in a later one, which may be archived itself.
 */
export async function verifyArchives(
  database: Database,
  archives: Archives,
): Promise<readonly VerifiedSegment[]> {
  const recorded = await recordedSegments(database);
  const segments = (await closedSegments(database)).filter(({ state }) => state === 'archived');
  const verified: VerifiedSegment[] = [];
  for (const segment of segments.toReversed()) verified.unshift(await verify(segment, archives, recorded));
  return verified;
}

async function verify(
  segment: ArchivedSegment,
  archives: Archives,
  recorded: Map<number, Sealed>,
): Promise<VerifiedSegment> {
  const { low, high } = segment;
  const said = recorded.get(low);
  try {
    const found: Sealed[] = [];
    const manifest = await readArchive(segment, archives, (rows) => {
      found.push(...rows.records.flatMap((row) => sealedIn(row) ?? []));
    });
    // They count once all of the chain in this segment was verified; of two records for one segment the first counts.
    for (const sealed of found.toReversed()) recorded.set(sealed.low, sealed);
    const { events, records } = manifest;
    return { low, high, events, records, faults: faultsIn(said, high, manifest) };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'archive-altered') throw error;
    return { low, high, events: 0, records: 0, faults: ['files-altered'] };
  }
}

/** The type and the data of a record, in the order of its columns. */
function sealedIn(row: CopiedRow): Sealed | undefined {
  const [, , , type, data] = row;
  if (type?.toString() !== 'SegmentSealed') return undefined;
  return JSON.parse(data?.toString() ?? 'null') as Sealed;
}
