import type { Long, Uuid } from '../../contracts/scalars.js';
import { sha256 } from '../lang/sha256.js';
import { verifySignature } from '../trust/ed25519.js';
import type { StoreKey } from '../trust/store-key.js';
import { archiveAltered, type ArchivedSegment } from './archived-segment.js';
import type { SegmentTypes } from './segment-digest.js';
import type { SegmentDigests } from '../segments/verify-segments.js';

interface ListedPart {
  /** The position after its last one. */
  readonly to: Long;
  readonly sha256: string;
}

/** What an archive consists of; all bytes are hexadecimal. */
export interface ArchiveManifest extends SegmentDigests, SegmentTypes {
  readonly store: Uuid;
  readonly low: Long;
  readonly high: Long;
  /** Which key opens the parts; null: they are not encrypted. */
  readonly keyId: Uuid | null;
  readonly parts: readonly ListedPart[];
}

/** A segment has up to 2^40 positions, a part at least one; this is far beyond both. */
export const maxManifestBytes = 2 ** 28;

/** The first text says what is signed, so that no signature of something else can pass for one of an archive. */
const signedBytes = (stated: ArchiveManifest): Buffer =>
  Buffer.from(`svc-archive-1\n${JSON.stringify(stated)}`);

export function manifestBytes(stated: ArchiveManifest, { publicKey, sign }: StoreKey): Buffer {
  const signed = { ...stated, publicKey: publicKey.toString('hex') };
  return Buffer.from(JSON.stringify({ ...signed, signature: sign(signedBytes(signed)).toString('hex') }));
}

/** Refuses a manifest that the store has not recorded and signed for this segment. */
export function readManifest(bytes: Buffer, segment: ArchivedSegment): ArchiveManifest {
  if (sha256(bytes).toString('hex') !== segment.manifestSha256)
    throw archiveAltered(segment, 'has another manifest than the store has recorded');
  const { signature, ...signed } = JSON.parse(bytes.toString()) as ArchiveManifest & {
    readonly signature: string;
  };
  const publicKey = Buffer.from(segment.publicKey ?? '', 'hex');
  if (verifySignature(publicKey, signedBytes(signed), Buffer.from(signature, 'hex'))) return signed;
  throw archiveAltered(segment, 'was not signed by this store');
}
