import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { sha256 } from '../lang/sha256.js';
import type { SubjectKey } from '../subjects/sealed-text.js';
import type { ArchiveFiles } from './archive-files.js';
import { type ArchiveManifest, maxManifestBytes, readManifest } from './archive-manifest.js';
import { alteredPart, decodePart, maxPartBytes } from './archive-part.js';
import { archiveAltered, type ArchivedSegment, manifestName, partName } from './archived-segment.js';
import { isSame, type LogRows, SegmentDigest } from './segment-digest.js';

/** Where archives are, and what opens them. */
export interface Archives {
  readonly filesOf: (location: string | undefined) => ArchiveFiles;
  /** Unset: where each segment was archived. */
  readonly location: string | undefined;
  /** The keys that open the files; undefined: there is no master key. */
  readonly keys: { existing(ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, SubjectKey>> } | undefined;
  readonly progress: (segment: ArchivedSegment, done: number, total: number) => void;
}

/** Passes the rows of an archived segment, in order. After the last one, what was read is compared with the manifest. */
export async function readArchive(
  segment: ArchivedSegment,
  { filesOf, location, keys, progress }: Archives,
  take: (rows: LogRows) => Promise<void> | void,
): Promise<ArchiveManifest> {
  const { store, low, high } = segment;
  const files = filesOf(location ?? segment.location);
  const manifest = await manifestOf(segment, files);
  const key = await keyFor(segment, manifest, keys);
  const digest = new SegmentDigest(low, segment);
  for (const [index, { to, sha256: listed }] of manifest.parts.entries()) {
    const place = { store, low, number: index + 1 };
    const bytes = await files.get(partName(segment, place.number), maxPartBytes);
    if (bytes === undefined) throw archiveAltered(segment, `lacks part ${place.number} at ${files.location}`);
    if (sha256(bytes).toString('hex') !== listed) throw alteredPart(place);
    const rows = decodePart(bytes, place, key);
    digest.take(rows);
    await take(rows);
    progress(segment, to - low, high - low);
  }
  const digests = digest.end();
  if (digests !== undefined && isSame(digests, manifest)) return manifest;
  throw archiveAltered(segment, 'does not contain what its manifest says');
}

async function manifestOf(segment: ArchivedSegment, files: ArchiveFiles): Promise<ArchiveManifest> {
  const bytes = await files.get(manifestName(segment), maxManifestBytes);
  if (bytes === undefined)
    throw archiveAltered(segment, `is not at ${files.location}; if it was moved, give its place with --from`);
  return readManifest(bytes, segment);
}

async function keyFor(
  { low, high }: ArchivedSegment,
  { keyId }: ArchiveManifest,
  keys: Archives['keys'],
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
