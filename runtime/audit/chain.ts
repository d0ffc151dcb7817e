import type { Long } from '../../contracts/scalars.js';
import { sha256 } from '../sha256.js';

/** A point of the chain: its hash covers everything up to its position. */
export interface ChainHead {
  readonly position: Long;
  /** Hexadecimal. */
  readonly hash: string;
}

/** The type of the message with which a store announces the head of its chain; it is never stored. */
export const chainHeadType = 'ChainHead';

/** What the hash of a record in the system stream covers. */
export interface ChainedRecord {
  readonly position: Long;
  /** The position of the event it is about; 0 = none. */
  readonly originalPosition: Long;
  /** Microseconds since 1970. */
  readonly recordedAt: number;
  /** The 16 bytes of its id. */
  readonly eventId: Uint8Array;
  /** Its type name and its stored text, verbatim. */
  readonly content: string | Buffer;
}

/** The hash before the first record. */
export const genesis: Buffer = Buffer.of(0);

/** The hash of a record, given the hash before it; must equal what the commit procedure computes. */
export const hashAfter = (previous: Buffer, record: ChainedRecord): Buffer =>
  hashWith(previous, record, sha256(record.content));

/** The same for a record of which only the content digest is known. */
export function hashWith(previous: Buffer, record: Omit<ChainedRecord, 'content'>, digest: Buffer): Buffer {
  const covered = Buffer.allocUnsafe(previous.length + 72);
  let at = previous.copy(covered);
  at = writeLong(covered, record.position, at);
  at = writeLong(covered, record.originalPosition, at);
  at = writeLong(covered, record.recordedAt, at);
  covered.set(record.eventId, at);
  digest.copy(covered, at + 16);
  return sha256(covered);
}

function writeLong(buffer: Buffer, value: number, at: number): number {
  buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
  return buffer.writeUInt32BE(value >>> 0, at + 4);
}
