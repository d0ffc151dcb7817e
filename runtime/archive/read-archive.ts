import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { sha256 } from '../lang/sha256.js';
import type { SubjectKey } from '../subjects/sealed-text.js';
import type { ArchiveFiles } from './archive-files.js';
import { type ArchiveManifest, maxManifestBytes, readManifest } from './archive-manifest.js';
import { alteredPart, type ArchivePart, decodePart, maxPartBytes } from './archive-part.js';
import { archiveAltered, type ArchivedSegment, manifestName, partName } from './archived-segment.js';
import { SegmentDigest } from './segment-digest.js';
import { isSame } from './write-archive.js';

export interface ArchiveReading {
  readonly files: ArchiveFiles;
  /** The keys that open the files; undefined: there is no master key. */
  readonly keys: { existing(ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, SubjectKey>> } | undefined;
}

/** The parts of an archived segment, in order. After the last one, what was read is compared with the manifest. */
export async function* archiveParts(
  segment: ArchivedSegment,
  manifest: ArchiveManifest,
  { files, keys }: ArchiveReading,
): AsyncGenerator<ArchivePart> {
  const { store, low, high } = segment;
  const key = await keyFor(segment, manifest, keys);
  const digest = new SegmentDigest(low, segment);
  let from = low;
  for (const [index, { to, sha256: listed }] of manifest.parts.entries()) {
    const place = { store, low, number: index + 1 };
    const bytes = await files.get(partName(segment, place.number), maxPartBytes);
    if (bytes === undefined) throw archiveAltered(segment, `lacks part ${place.number} at ${files.location}`);
    if (sha256(bytes).toString('hex') !== listed) throw alteredPart(place);
    const part = decodePart(bytes, place, key);
    if (part.from !== from || part.to !== to) throw alteredPart(place);
    for (const row of part.events) digest.takeEvent(row);
    for (const row of part.records) digest.takeRecord(row);
    yield part;
    from = to;
  }
  const digests = digest.end();
  if (from !== high || digests === undefined || !isSame(digests, manifest))
    throw archiveAltered(segment, 'does not contain what its manifest says');
}

/** The manifest that the store has recorded and signed. */
export async function manifestOf(segment: ArchivedSegment, files: ArchiveFiles): Promise<ArchiveManifest> {
  const bytes = await files.get(manifestName(segment), maxManifestBytes);
  if (bytes === undefined) throw archiveAltered(segment, `is not at ${files.location}`);
  const { store, low, high, manifestSha256 = '', publicKey } = segment;
  const manifest = readManifest(bytes, manifestSha256);
  const isOurs = manifest.store === store && manifest.low === low && manifest.high === high;
  if (!isOurs || manifest.publicKey !== publicKey)
    throw archiveAltered(segment, 'was not signed by this store');
  return manifest;
}

async function keyFor(
  { low, high }: ArchivedSegment,
  { keyId }: ArchiveManifest,
  keys: ArchiveReading['keys'],
): Promise<SubjectKey | undefined> {
  if (keyId === null) return undefined;
  const key = (await keys?.existing([keyId]))?.get(keyId);
  if (key !== undefined) return key;
  throw new Problem('subject-keys-unavailable', {
    detail:
      keys === undefined
        ? `The archive of the segment ${low} to ${high - 1} is encrypted: set SVC_MASTER_KEY, or give the application with the keyWrapper: --app APP.`
        : `The key of the archive of the segment ${low} to ${high - 1} was destroyed.`,
  });
}
