import { hash } from 'node:crypto';
import type { Long, Uuid } from '../../contracts/scalars.js';

/** The place of the chain: everything up to the position is told by the hash. */
export interface ChainHead {
  readonly position: Long;
  /** Hexadecimal. */
  readonly hash: string;
}

/** What the hash of a record in the system stream covers. */
export interface ChainedRecord {
  readonly position: Long;
  /** The position of the event it tells about; 0 = none. */
  readonly originalPosition: Long;
  /** Microseconds since 1970. */
  readonly recordedAt: number;
  readonly eventId: Uuid;
  readonly type: string;
  /** The stored text, to the letter. */
  readonly data: string;
}

/** What stands before the first record. */
export const genesis: Buffer = Buffer.of(0);

/** The hash of a record after the hash before it: the same that the commit procedure computes. */
export function hashAfter(previous: Buffer, record: ChainedRecord): Buffer {
  const covered = Buffer.allocUnsafe(previous.length + 72);
  let at = previous.copy(covered);
  at = writeLong(covered, record.position, at);
  at = writeLong(covered, record.originalPosition, at);
  at = writeLong(covered, record.recordedAt, at);
  at += covered.write(record.eventId.replaceAll('-', ''), at, 'hex');
  hash('sha256', record.type + record.data, 'buffer').copy(covered, at);
  return hash('sha256', covered, 'buffer');
}

function writeLong(buffer: Buffer, value: number, at: number): number {
  buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
  return buffer.writeUInt32BE(value >>> 0, at + 4);
}
