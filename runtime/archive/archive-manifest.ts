import { Problem } from '../../contracts/problems.js';
import { isLong, isUuid, type Long, type Uuid } from '../../contracts/scalars.js';
import { sha256 } from '../lang/sha256.js';
import { verifySignature } from '../trust/ed25519.js';
import type { StoreKey } from '../trust/store-key.js';
import type { SegmentDigests, SegmentTypes } from './segment-digest.js';

interface ListedPart {
  /** The position after its last one. */
  readonly to: Long;
  readonly sha256: string;
}

interface StatedManifest extends SegmentDigests, SegmentTypes {
  readonly store: Uuid;
  readonly low: Long;
  readonly high: Long;
  /** Which key opens the parts; null: they are not encrypted. */
  readonly keyId: Uuid | null;
  readonly parts: readonly ListedPart[];
}

/** What an archive consists of, signed by its store; all bytes are hexadecimal. */
export interface ArchiveManifest extends StatedManifest {
  readonly publicKey: string;
  readonly signature: string;
}

/** A segment has up to 2^40 positions, a part at least one; this is far beyond both. */
export const maxManifestBytes = 2 ** 28;

/** The first text says what is signed, so that no signature of something else can pass for one of an archive. */
const signedBytes = (stated: StatedManifest): Buffer =>
  Buffer.from(`svc-archive-1\n${JSON.stringify(plain(stated))}`);

/** In one order of its members, and without any others. */
const plain = ({
  store,
  low,
  high,
  events,
  records,
  eventsSha256,
  recordsSha256,
  lastHash,
  eventTypes,
  recordTypes,
  keyId,
  parts,
}: StatedManifest) => ({
  ...{
    store,
    low,
    high,
    events,
    records,
    eventsSha256,
    recordsSha256,
    lastHash,
    eventTypes,
    recordTypes,
    keyId,
  },
  parts: parts.map(({ to, sha256: digest }) => ({ to, sha256: digest })),
});

export function manifestBytes(stated: StatedManifest, { publicKey, sign }: StoreKey): Buffer {
  const signature = sign(signedBytes(stated)).toString('hex');
  return Buffer.from(JSON.stringify({ ...plain(stated), publicKey: publicKey.toString('hex'), signature }));
}

/** Reads what claims to be the manifest of a segment, with this digest; the key is not compared with that of the store. */
export function readManifest(bytes: Buffer, digest: string): ArchiveManifest {
  if (sha256(bytes).toString('hex') !== digest) throw alteredManifest();
  const manifest = JSON.parse(bytes.toString()) as ArchiveManifest;
  const { publicKey, signature } = manifest;
  const isSigned =
    isManifest(manifest) &&
    verifySignature(Buffer.from(publicKey, 'hex'), signedBytes(manifest), Buffer.from(signature, 'hex'));
  if (!isSigned) throw alteredManifest();
  return manifest;
}

const isManifest = ({
  store,
  low,
  high,
  keyId,
  parts,
  publicKey,
  signature,
}: Partial<ArchiveManifest>): boolean =>
  isUuid(store) &&
  isLong(low) &&
  isLong(high) &&
  (keyId === null || isUuid(keyId)) &&
  Array.isArray(parts) &&
  typeof publicKey === 'string' &&
  typeof signature === 'string';

const alteredManifest = (): Problem =>
  new Problem('archive-altered', {
    detail: 'The manifest of the archive is not the one that the store has recorded and signed.',
  });
