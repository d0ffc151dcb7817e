import type { CopiedRow } from '../database/copy-out.js';
import type { Database, Session } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { sha256 } from '../lang/sha256.js';
import type { SubjectKey } from '../subjects/sealed-text.js';
import type { SegmentDigests } from '../segments/verify-segments.js';
import type { StoreKey } from '../trust/store-key.js';
import type { ArchiveFiles } from './archive-files.js';
import { encodePart, isPartOf, maxPartBytes } from './archive-part.js';
import { manifestBytes } from './archive-manifest.js';
import { archiveAltered, type ArchivedSegment, manifestName, partName } from './archived-segment.js';
import { isSame, type LogRows, SegmentDigest, type SegmentTypes } from './segment-digest.js';
import { eventColumns, recordColumns } from './segment-rows.js';

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
    const { to, rows } = await partFrom(database, from, high);
    const file = await writtenPart(rows, parts.length + 1, segment, { files, key });
    digest.take(rows);
    parts.push({ to, sha256: sha256(file).toString('hex') });
    bytes += file.length;
    from = to;
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

/**
 * The file that holds these rows: that of an earlier run, or a new one. Digests leave out how an event came to be here, so
 * every byte is compared. A file of an earlier run may be damaged, or have another key; then it is written again.
 */
async function writtenPart(
  rows: LogRows,
  number: number,
  segment: ArchivedSegment,
  { files, key }: Pick<ArchiveWriting, 'files' | 'key'>,
): Promise<Buffer> {
  const place = { store: segment.store, low: segment.low, number };
  const name = partName(segment, number);
  const read = async (): Promise<Buffer | undefined> => {
    const file = await files.get(name, maxPartBytes);
    return file !== undefined && isPartOf(rows, file, place, key) ? file : undefined;
  };
  const earlier = await read();
  if (earlier !== undefined) return earlier;
  await files.put(name, encodePart(rows, place, key));
  failpoint('archive-part-written');
  const written = await read();
  if (written !== undefined) return written;
  throw archiveAltered(segment, `cannot be read back from ${files.location}`);
}

async function partFrom(
  database: Database,
  from: number,
  high: number,
): Promise<{ readonly to: number; readonly rows: LogRows }> {
  const session = await database.session();
  try {
    const to = await endOfPart(session, from, high);
    const events = await copied(session, eventColumns, 'svc_events', from, to);
    return {
      to,
      rows: { events, records: await copied(session, recordColumns, 'svc_system_events', from, to) },
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
  return Number(row?.[0] ?? end);
}

async function copied(
  session: Session,
  columns: string,
  table: string,
  from: number,
  to: number,
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
