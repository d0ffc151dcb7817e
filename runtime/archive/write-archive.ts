import type { CopiedRow } from '../database/copy-out.js';
import type { Database, Session } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { sha256 } from '../lang/sha256.js';
import type { SubjectKey } from '../subjects/sealed-text.js';
import type { StoreKey } from '../trust/store-key.js';
import type { ArchiveFiles } from './archive-files.js';
import { type ArchivePart, decodePart, encodePart, maxPartBytes } from './archive-part.js';
import { manifestBytes } from './archive-manifest.js';
import { archiveAltered, type ArchivedSegment, manifestName, partName } from './archived-segment.js';
import { SegmentDigest, type SegmentDigests, type SegmentTypes } from './segment-digest.js';
import { eventColumns, recordColumns, rowsToBytes } from './segment-rows.js';

interface ArchiveWriting {
  readonly files: ArchiveFiles;
  readonly key: SubjectKey | undefined;
  readonly storeKey: StoreKey;
  /** What the chain says of the segment. */
  readonly sealed: SegmentDigests;
  readonly progress: (done: number, total: number) => void;
}

interface WrittenArchive extends SegmentTypes {
  readonly manifestSha256: string;
  readonly bytes: number;
}

/** Rows of a part: so many positions, and so many bytes as they are stored. */
const partPositions = 4_096;
const partBytes = 4 * 1_048_576;

/**
 * Writes the files of a sealed segment and reads each back. What an earlier run has written is compared, not written again.
 * Returns when the files hold exactly what the chain says of the segment.
 */
export async function writeArchive(
  database: Database,
  segment: ArchivedSegment,
  { files, key, storeKey, sealed, progress }: ArchiveWriting,
): Promise<WrittenArchive> {
  const { store, low, high } = segment;
  const digest = new SegmentDigest(low, segment);
  const parts: { to: number; sha256: string }[] = [];
  let bytes = 0;
  for (let from = low; from < high;) {
    const stored = await writtenPart(await partFrom(database, from, high), parts.length + 1, segment, {
      files,
      key,
    });
    for (const row of stored.part.events) digest.takeEvent(row);
    for (const row of stored.part.records) digest.takeRecord(row);
    parts.push({ to: stored.part.to, sha256: sha256(stored.found).toString('hex') });
    bytes += stored.found.length;
    from = stored.part.to;
    progress(from - low, high - low);
  }
  const digests = digest.end();
  if (digests === undefined || !isSame(digests, sealed))
    throw archiveAltered(
      segment,
      `at ${files.location} is not what was sealed: run svc segments verify, and remove the files if the log is intact`,
    );
  const { eventTypes, recordTypes } = digests;
  const manifest = manifestBytes({ ...digests, store, low, high, keyId: key?.id ?? null, parts }, storeKey);
  await files.put(manifestName(segment), manifest);
  failpoint('archive-manifest-written');
  return {
    manifestSha256: sha256(manifest).toString('hex'),
    bytes: bytes + manifest.length,
    eventTypes,
    recordTypes,
  };
}

/** The part of a file that holds these rows: that of an earlier run, or a new one. */
async function writtenPart(
  held: ArchivePart,
  number: number,
  segment: ArchivedSegment,
  { files, key }: Pick<ArchiveWriting, 'files' | 'key'>,
): Promise<{ readonly found: Buffer; readonly part: ArchivePart }> {
  const place = { store: segment.store, low: segment.low, number };
  const name = partName(segment, number);
  const read = async () => {
    const found = await files.get(name, maxPartBytes);
    const part = found && readablePart(() => decodePart(found, place, key), held.from, segment.high);
    return found !== undefined && part !== undefined && isSamePart(part, held) ? { found, part } : undefined;
  };
  const earlier = await read();
  if (earlier !== undefined) return earlier;
  await files.put(name, encodePart(held, place, key));
  failpoint('archive-part-written');
  const written = await read();
  if (written !== undefined) return written;
  throw archiveAltered(segment, `cannot be read back from ${files.location}`);
}

export const isSame = (a: SegmentDigests, b: SegmentDigests): boolean =>
  a.events === b.events &&
  a.records === b.records &&
  a.lastHash === b.lastHash &&
  a.eventsSha256 === b.eventsSha256 &&
  a.recordsSha256 === b.recordsSha256;

/** Digests leave out how an event came to be here: those who can write files must not change that either. */
const isSamePart = (part: ArchivePart, held: ArchivePart): boolean =>
  part.to === held.to &&
  rowsToBytes(part.events).equals(rowsToBytes(held.events)) &&
  rowsToBytes(part.records).equals(rowsToBytes(held.records));

/** One of an earlier run may be damaged, or have another key: then it is written again. */
function readablePart(decode: () => ArchivePart, from: number, high: number): ArchivePart | undefined {
  try {
    const part = decode();
    return part.from === from && part.to <= high ? part : undefined;
  } catch {
    return undefined;
  }
}

async function partFrom(database: Database, from: number, high: number): Promise<ArchivePart> {
  const session = await database.session();
  try {
    const to = await endOfPart(session, from, high);
    const events = await copied(session, eventColumns, 'svc_events', { from, to });
    return {
      from,
      to,
      events,
      records: await copied(session, recordColumns, 'svc_system_events', { from, to }),
    };
  } finally {
    session.release();
  }
}

/** A part has at least one row, however large. */
async function endOfPart(session: Session, from: number, high: number): Promise<number> {
  const end = Math.min(from + partPositions, high);
  const sizes = (table: string) =>
    `SELECT global_position AS g, pg_column_size(data) + pg_column_size(metadata) AS size FROM ${table}
      WHERE global_position >= $1 AND global_position < $2`;
  const [row] = await session.rows({
    text: `SELECT min(g) FROM (SELECT g, sum(size) OVER (ORDER BY g) - size AS before
      FROM (${sizes('svc_events')} UNION ALL ${sizes('svc_system_events')}) sized) weighed WHERE before >= ${partBytes}`,
    values: [from, end],
  });
  return row?.[0] === null || row?.[0] === undefined ? end : Number(row[0]);
}

async function copied(
  session: Session,
  columns: string,
  table: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly CopiedRow[]> {
  const rows: CopiedRow[] = [];
  await session.copyOut(
    `COPY (SELECT ${columns} FROM ${table} WHERE global_position >= ${from} AND global_position < ${to}
      ORDER BY global_position) TO STDOUT (FORMAT binary)`,
    // A field is valid until the reader returns.
    (row) => rows.push(row.map((field) => (field === null ? null : Buffer.from(field)))),
  );
  return rows;
}
