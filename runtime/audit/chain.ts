import type { Long } from '../../contracts/scalars.js';
import { sha256 } from '../lang/sha256.js';

/** A point of the chain: its hash covers everything up to its position. */
export interface ChainHead {
  readonly position: Long;
  /** Hexadecimal. */
  readonly hash: string;
}

/** The type of the message with which a store announces the head of its chain; it is never stored. */
export const chainHeadType = 'ChainHead';

type Text = string | Buffer;

/** What the digest of a record covers, as stored. */
export interface RecordContent {
  readonly type: Text;
  readonly data: Text;
  readonly metadata: Text;
  readonly host: Text;
  readonly publish: boolean;
}

/** What the hash of a record covers besides its digest. */
export interface ChainedRecord {
  readonly position: Long;
  readonly globalPosition: Long;
  /** The position of the event it is about; 0 = none. */
  readonly originalPosition: Long;
  /** Microseconds since 1970. */
  readonly recordedAt: number;
  /** The 16 bytes of its id. */
  readonly eventId: Uint8Array;
}

/** PostgreSQL counts time from the year 2000. */
export const microsUntil2000 = 946_684_800_000_000;

/** The hash before the first record. */
export const genesis: Buffer = Buffer.of(0);

/** Must equal what the commit procedure computes. */
export function digestOf(content: RecordContent): Buffer {
  const texts = [content.type, content.data, content.metadata, content.host].map(bytesOf);
  // With their lengths in front, no text can pass for a part of its neighbor.
  const lengths = Buffer.allocUnsafe(17);
  let at = 0;
  for (const { length } of texts) at = lengths.writeInt32BE(length, at);
  lengths[at] = content.publish ? 1 : 0;
  return sha256(Buffer.concat([lengths, ...texts]));
}

const bytesOf = (text: Text): Buffer => (typeof text === 'string' ? Buffer.from(text) : text);

/** The hash of a record, given the hash before it; must equal what the commit procedure computes. */
export function hashAfter(previous: Buffer, record: ChainedRecord, digest: Buffer): Buffer {
  const covered = Buffer.allocUnsafe(previous.length + 80);
  let at = previous.copy(covered);
  at = writeLong(covered, record.position, at);
  at = writeLong(covered, record.globalPosition, at);
  at = writeLong(covered, record.originalPosition, at);
  at = writeLong(covered, record.recordedAt - microsUntil2000, at);
  covered.set(record.eventId, at);
  digest.copy(covered, at + 16);
  return sha256(covered);
}

function writeLong(buffer: Buffer, value: number, at: number): number {
  buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
  return buffer.writeUInt32BE(value >>> 0, at + 4);
}
